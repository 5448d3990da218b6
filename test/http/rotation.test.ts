import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type KeyUses, rememberKeyUses } from '../../src/cache/keyUses.ts'
import type { KeyRecord } from '../../src/db/keys.ts'
import type { Deps } from '../../src/deps.ts'
import { minuteMs } from '../../src/domain/units.ts'
import { openDeps } from '../../src/openDeps.ts'
import { revokeApiKey, rotateApiKey, showApiKey } from '../../src/services/apiKeys.ts'
import { aPage, aServer, customer } from '../helpers/actors.ts'
import { expectData, expectError } from '../helpers/answers.ts'
import { useReplicas } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

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

/** What is announced to nobody is believed for 30 s. */
const toldMs = 20_000
const isOut = (replica: typeof first, secret: string) =>
  waitFor(async () => (await aServer(replica, secret).get('/asset-groups')).status === 401, toldMs)

describe('a rotated key (decision 26)', () => {
  it('books, replays and polls with either secret what the other began', async () => {
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

  it('keeps the sessions that were made before', async () => {
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

  it('has one allowance for both secrets', async () => {
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

  it('is never refused while it is rotated under load, again and again', async () => {
    const { key, rotate } = await aRentalKey()
    let newest = key
    let rotating = true
    const codes = new Map<string, number>()
    const caller = async (replica: typeof first) => {
      while (rotating) {
        const { body } = await aServer(replica, newest).get('/asset-groups')
        const code = body.error?.code ?? 'OK'
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
    }
    const callers = [first, second, first, second].map(caller)
    for (let round = 0; round < 10; round++) newest = (await rotate(hourSeconds)).key
    await waitFor(() => (codes.get('OK') ?? 0) > 50, 30_000)
    rotating = false
    await Promise.all(callers)
    expect([...codes.keys()]).toEqual(['OK'])
  })

  it('after a leak the thief is out within 2 s, and its bookings can still be polled', async () => {
    const { id, key, body, rotate } = await aRentalKey()
    const quote = expectData(await aServer(first, key).post('/quotes', body), 201)
    const accepted = await aServer(first, key).book({ quoteId: quote.quoteId, customer })
    const { bookingId } = expectData(accepted, 202)
    const { key: successor } = await rotate(0)
    for (const replica of replicas) {
      await isOut(replica, key)
      const refused = await aServer(replica, key).get('/asset-groups')
      expectError(refused, 401, 'API_KEY_EXPIRED')
      expectData(await aServer(replica, successor).get(`/bookings/${bookingId}`), 200)
    }
    await revokeApiKey(first.deps.database, id)
    await isOut(second, successor)
  })
})

/** Now, as when the server ends. */
const tellUses = ({ keyUses }: Deps) => (keyUses as KeyUses).close()

describe('the last use of a secret (decision 400)', () => {
  it('is known to the minute of each secret, from whichever replica let it in last', async () => {
    const { id, key, rotate } = await aRentalKey()
    const { key: successor } = await rotate(hourSeconds)
    const minutes = async () => {
      for (const { deps } of replicas) await tellUses(deps)
      const { secrets } = await showApiKey(first.deps.database, id, first.clock.now())
      return secrets.map(({ lastUsedAt }) => lastUsedAt?.getTime())
    }
    const thisMinute = () => Math.floor(first.clock.now().getTime() / minuteMs) * minuteMs
    expect(await minutes()).toEqual([undefined, undefined])
    expectData(await aServer(first, key).get('/asset-groups'), 200)
    const before = thisMinute()
    expect(await minutes()).toEqual([before, undefined])
    first.clock.advanceSeconds(120)
    expectData(await aServer(second, successor).get('/asset-groups'), 200)
    expect(await minutes()).toEqual([before, thisMinute()])
    // One replica tells of an earlier use when another has told of a later one.
    expectData(await aServer(first, key).get('/asset-groups'), 200)
    first.clock.advanceSeconds(60)
    expectData(await aServer(second, key).get('/asset-groups'), 200)
    await tellUses(second.deps)
    expect(await minutes()).toEqual([thisMinute(), thisMinute() - minuteMs])
  })

  it('outlasts a database that cannot be told, and is told at the latest when the server ends', async () => {
    const [{ id, key }, other] = [await aRentalKey(), await aRentalKey()]
    const { config, database, log } = first.deps
    const ending = await openDeps(config, first.databaseUrl, log, first.clock)
    const record = (await ending.deps.keys.find(key)) as KeyRecord
    const otherRecord = (await ending.deps.keys.find(other.key)) as KeyRecord
    ending.deps.keyUses.note(key, record, first.clock.now())
    ending.deps.keyUses.note(other.key, otherRecord, first.clock.now())
    await database.pool.query('alter table api_key_secrets rename last_used_at to elsewhere')
    const telling = tellUses(ending.deps)
    const later = new Date(Math.ceil(first.clock.now().getTime() / minuteMs) * minuteMs)
    ending.deps.keyUses.note(key, record, later)
    await telling
    await database.pool.query('alter table api_key_secrets rename elsewhere to last_used_at')
    await ending.close()
    const { secrets } = await showApiKey(database, id, first.clock.now())
    expect(secrets[0]?.lastUsedAt).toEqual(later)
    const { secrets: others } = await showApiKey(database, other.id, first.clock.now())
    expect(others[0]?.lastUsedAt).toBeInstanceOf(Date)
  })

  it('is the last of several, and told twice a minute while the server runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { id, key } = await aRentalKey()
    const { database, clock, keys } = first.deps
    const uses = rememberKeyUses(database, () => {})
    const minute = Math.ceil(clock.now().getTime() / minuteMs)
    const usedAt = [minute, minute + 5].map((at) => new Date(at * minuteMs))
    for (const at of usedAt) uses.note(key, (await keys.find(key)) as KeyRecord, at)
    vi.advanceTimersByTime(30_000)
    await waitFor(async () => {
      const { secrets } = await showApiKey(database, id, clock.now())
      return secrets[0]?.lastUsedAt?.getTime() === usedAt[1]?.getTime()
    }, toldMs)
    await uses.close()
  })

  it('is no news that makes every replica read its keys again', async () => {
    const { key } = await aRentalKey()
    expectData(await aServer(first, key).get('/asset-groups'), 200)
    const heard: string[] = []
    const listener = new pg.Client({ connectionString: first.databaseUrl })
    await listener.connect()
    listener.on('notification', ({ payload = '' }) => heard.push(payload))
    await listener.query('listen access_changed; listen marker')
    await tellUses(first.deps)
    await listener.query("notify marker, 'end'")
    await waitFor(() => heard.includes('end'))
    await listener.end()
    expect(heard).toEqual(['end'])
  })

  it('is not that of a secret that was refused', async () => {
    const { id, key, rotate } = await aRentalKey()
    await rotate(0)
    await isOut(first, key)
    await tellUses(first.deps)
    const { secrets } = await showApiKey(first.deps.database, id, first.clock.now())
    expect(secrets[0]?.lastUsedAt).toBeNull()
  })
})
