import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { recordKeyUses } from '../../../src/cache/keyUses.ts'
import type { KeyRecord } from '../../../src/db/queries/keys/keyLookup.ts'
import { minuteMs } from '../../../src/domain/units.ts'
import { rotateApiKey, showApiKey } from '../../../src/services/manageKeys.ts'
import { aPage, aServer, customer } from '../../helpers/actors.ts'
import { useReplicas } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const replicas = useReplicas(2)
const [first, second] = replicas as [(typeof replicas)[0], (typeof replicas)[0]]
const origin = 'https://shop.example'
const hourSeconds = 3_600

async function aRentalKey(limits = {}) {
  const { database } = first.deps
  const tenantId = await aTenant(database)
  const key = await aKey(database, tenantId, { origins: [origin], limits })
  const assetGroupId = await aGroup(database, tenantId)
  const body = { assetGroupId, pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
  const rotate = (overlapSeconds: number) =>
    rotateApiKey(database, key.id, overlapSeconds, first.clock.now())
  return { ...key, body, rotate }
}

const visibleWithinMs = 20_000

describe('rotated key', () => {
  it('accepts either secret for a booking, its replay and its status', async () => {
    const { key, body, rotate } = await aRentalKey()
    const quote = expectData(await aServer(first, key).post('/quotes', body), 201)
    const { key: successor } = await rotate(hourSeconds)
    const booking = { quoteId: quote.quoteId, customer }
    const idempotencyKey = randomUUID()
    const accepted = await aServer(first, successor).book(booking, idempotencyKey)
    const { bookingId } = expectData(accepted, 202)
    const replay = await aServer(second, key).book(booking, idempotencyKey)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.text).toBe(accepted.text)
    for (const secret of [key, successor]) {
      expectData(await aServer(second, secret).get(`/bookings/${bookingId}`), 200)
    }
  })

  it('returns Deprecation and Sunset for the old secret only, and in every response', async () => {
    const { key, rotate } = await aRentalKey()
    const rotatedAt = Date.now()
    const { key: successor } = await rotate(hourSeconds)
    const headersOf = async (secret: string, path: string) =>
      (await aServer(second, secret).get(path)).headers
    for (const path of ['/asset-groups', `/bookings/${randomUUID()}`]) {
      await waitFor(async () => 'sunset' in (await headersOf(key, path)), visibleWithinMs)
      const { deprecation = '', sunset = '', link } = await headersOf(key, path)
      expect(Math.abs(Number(deprecation.slice(1)) * 1000 - rotatedAt)).toBeLessThan(60_000)
      const endMs = Date.parse(sunset) - rotatedAt
      expect(Math.abs(endMs - hourSeconds * 1000)).toBeLessThan(60_000)
      expect(link).toBe('</docs/contract#authentication>; rel="deprecation"')
      const ofNew = await headersOf(successor, path)
      expect([ofNew['deprecation'], ofNew['sunset']]).toEqual([undefined, undefined])
    }
  })

  it('accepts sessions created before the rotation', async () => {
    const { key, body, rotate } = await aRentalKey()
    const { sessionToken } = expectData(await aPage(first, key, origin).post('/sessions'), 201)
    const { key: successor } = await rotate(hourSeconds)
    const headers = { 'x-session-token': sessionToken }
    const quote = expectData(
      await aPage(second, successor, origin).post('/quotes', body, headers),
      201,
    )
    const booked = await aPage(first, key, origin).post(
      '/bookings',
      { quoteId: quote.quoteId, customer },
      { ...headers, 'idempotency-key': randomUUID() },
    )
    expectData(booked, 202)
  })

  it('counts requests of both secrets in one window', async () => {
    const { key, rotate } = await aRentalKey({ reads: 5 })
    const { key: successor } = await rotate(hourSeconds)
    const remaining: number[] = []
    for (const secret of [key, successor, key, successor, key]) {
      const { headers } = await aServer(first, secret).get('/asset-groups')
      remaining.push(Number(headers['x-ratelimit-remaining']))
    }
    expect(remaining).toEqual([4, 3, 2, 1, 0])
    expectError(await aServer(second, successor).get('/asset-groups'), 429, 'RATE_LIMITED')
  })
})

describe('last use of a secret', () => {
  it('stores the latest use of a secret every 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { id, key } = await aRentalKey()
    const { database, keys, now } = first.deps
    const uses = recordKeyUses(database, () => {})
    const minute = Math.ceil(now().getTime() / minuteMs)
    const usedAt = [minute, minute + 5].map((at) => new Date(at * minuteMs))
    for (const at of usedAt) uses.record(key, (await keys.find(key)) as KeyRecord, at)
    vi.advanceTimersByTime(30_000)
    await waitFor(async () => {
      const { secrets } = await showApiKey(database, id)
      return secrets[0]?.lastUsedAt?.getTime() === usedAt[1]?.getTime()
    }, visibleWithinMs)
    await uses.close()
  })
})
