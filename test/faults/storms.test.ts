import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { aKey } from '../helpers/seed.ts'
import type { Operation } from './history.ts'
import { faultRow, faultRuns } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld({ proxied: false })
const limit = 10
const stormers = 50
const races = faultRuns > 1 ? 100 : 50

const outcomes = (operations: readonly Operation[]) =>
  operations.map(({ status, code }) => code ?? String(status)).sort()
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))

describe('concurrent bookings on two replicas', () => {
  faultRow('X-12a', '50 idempotency keys book one quote concurrently', world, async (recorder) => {
    const [quoteId = ''] = await world.quotes(1)
    const storm = await Promise.all(times(stormers, (n) => recorder.book(n, { quoteId })))
    expect(outcomes(storm)).toEqual(['202', ...times(stormers - 1, () => 'QUOTE_ALREADY_USED')])
  })

  faultRow(
    'X-12b',
    'one idempotency key is sent 50 times concurrently',
    world,
    async (recorder) => {
      const [quoteId = ''] = await world.quotes(1)
      const call = { quoteId, idempotencyKey: randomUUID() }
      const storm = await Promise.all(times(stormers, (n) => recorder.book(n, call)))
      expect(new Set(outcomes(storm))).toContain('202')
      for (const { status, code } of storm)
        expect([202, 'REQUEST_IN_PROGRESS']).toContain(code ?? status)
      const accepted = storm.filter(({ status }) => status === 202)
      expect(new Set(accepted.map(({ bookingId }) => bookingId ?? 'none')).size).toBe(1)
      expect(accepted[0]?.bookingId).toBeDefined()
    },
  )

  faultRow(
    'X-12d',
    `${races} quotes are each booked by two concurrent requests`,
    world,
    async (recorder) => {
      for (const quoteId of await world.quotes(races)) {
        const pair = await Promise.all([
          recorder.book(0, { quoteId }),
          recorder.book(1, { quoteId }),
        ])
        expect(outcomes(pair)).toEqual(['202', 'QUOTE_ALREADY_USED'])
      }
    },
  )

  faultRow('X-12f', 'a quote expires during concurrent bookings', world, async (recorder) => {
    await recorder.book(0, { quoteId: randomUUID() })
    const seen = new Set<string>()
    const both = () => seen.has('202') && seen.has('QUOTE_EXPIRED')
    let expiresInMs = 40
    for (let storms = 0; storms < 20 || !both(); storms++) {
      const [quoteId = ''] = await world.quotes(1, { expiresInMs })
      const storm = outcomes(await Promise.all(times(4, (n) => recorder.book(n, { quoteId }))))
      for (const outcome of storm) seen.add(outcome)
      // Adjusts the lifetime until some bookings succeed and some expire.
      expiresInMs *= storm.includes('202') ? 0.8 : 1.25
    }
  })
})

describe('the booking limit of two replicas', () => {
  it('allows exactly ten bookings per minute across two replicas', async ({ task }) => {
    const fault = `limit of ${limit}: 40 bookings on two replicas`
    const figures = { id: 'X-12g', fault, runs: 0, unknown: 0, violations: 0, longestMs: 0 }
    task.meta.fault = figures
    for (; figures.runs < faultRuns; figures.runs++) {
      const seeded = await aKey(world.database, world.tenantId, { limits: { bookings: limit } })
      const booker = { keyId: seeded.id, key: seeded.key }
      const recorder = world.recorder()
      const quotes = await world.quotes(40, { keyId: seeded.id })
      const storm = await Promise.all(
        quotes.map((quoteId, n) => recorder.book(n, { quoteId, booker })),
      )
      expect(outcomes(storm).filter((outcome) => outcome === '202')).toHaveLength(limit)
      expect(new Set(storm.map(({ window }) => window?.resetAtSeconds)).size).toBe(1)
      figures.longestMs = Math.max(figures.longestMs, recorder.figures().longestMs)
    }
  })
})
