import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aKey } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'
import type { Booker, Recorder } from './recorder.ts'
import { faultRuns } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const perDay = 100
const attempts = 200
const daySeconds = 86_400
const patienceMs = 30_000

let redis: Redis
beforeAll(() => {
  redis = new Redis(world.redis.url)
})
afterAll(() => redis.disconnect())

async function aBooker(): Promise<Booker> {
  const limits = { bookingsPerDay: perDay }
  const { id, key } = await aKey(world.database, world.tenantId, { limits })
  return { keyId: id, key }
}

const counter = ({ keyId }: Booker) => `rl:{${keyId}}:bookings-day`
const used = async (booker: Booker) => Number(await redis.get(counter(booker)))
const calls = async (booker: Booker, count: number) =>
  (await world.quotes(count, { keyId: booker.keyId })).map((quoteId) => ({
    quoteId,
    booker,
    idempotencyKey: randomUUID(),
  }))

async function bookingsMade({ keyId }: Booker): Promise<Set<string>> {
  const text = 'SELECT id FROM bookings WHERE api_key_id = $1'
  const { rows } = await world.database.pool.query<{ id: string }>(text, [keyId])
  return new Set(rows.map(({ id }) => id))
}

/** Sends all bookings at once, kills both replicas in turn, and retries unknown outcomes. */
async function bookUnderKills(recorder: Recorder, booker: Booker): Promise<void> {
  const all = await calls(booker, attempts)
  const storm = Promise.all(all.map((call, n) => recorder.book(n, call)))
  for (const [index, count] of [20, 60].entries()) {
    await waitFor(() => recorder.history.length >= count, patienceMs)
    await world.replicas[index]?.kill()
    await world.replace(index)
  }
  const responses = await storm
  for (const [n, call] of all.entries()) {
    if (responses[n]?.type !== 'info') continue
    await waitFor(async () => (await recorder.book(n, call)).type !== 'info', patienceMs)
  }
}

/** Checks the limit, the acknowledged bookings and the counter. */
async function expectConsistent({ history }: Recorder, booker: Booker): Promise<void> {
  const made = await bookingsMade(booker)
  expect(made.size).toBeLessThanOrEqual(perDay)
  for (const { type, bookingId } of history) if (type === 'ok') expect(made).toContain(bookingId)
  expect(await used(booker)).toBeGreaterThanOrEqual(made.size)
  expect(await used(booker)).toBeLessThanOrEqual(perDay)
  const endsInSeconds = await redis.ttl(counter(booker))
  expect(endsInSeconds).toBeGreaterThan(0)
  expect(endsInSeconds).toBeLessThanOrEqual(daySeconds)
}

describe('the daily booking limit', () => {
  it('never exceeds the daily limit and loses no slot permanently when replicas are killed', async ({
    task,
  }) => {
    const fault = `daily limit of ${perDay}: ${attempts} bookings on two replicas, both killed`
    const figures = { id: 'X-12h', fault, runs: 0, unknown: 0, violations: 0, longestMs: 0 }
    task.meta.fault = figures
    for (; figures.runs < faultRuns; figures.runs++) {
      const [booker, recorder] = [await aBooker(), world.recorder()]
      await bookUnderKills(recorder, booker)
      await expectConsistent(recorder, booker)
      // When the window ends early, the slots of the killed replicas are available again.
      await redis.pexpire(counter(booker), 1)
      await waitFor(async () => (await redis.exists(counter(booker))) === 0, patienceMs)
      for (const call of await calls(booker, 1)) {
        expect((await recorder.book(0, call)).status).toBe(202)
      }
      expect(await used(booker)).toBe(1)
      const { unknown, longestMs } = recorder.figures()
      figures.unknown += unknown
      figures.longestMs = Math.max(figures.longestMs, longestMs)
    }
  })

  it('counts a booking once when its response is lost and the client retries', async () => {
    const [booker, recorder] = [await aBooker(), world.recorder()]
    for (const call of await calls(booker, 1)) {
      const responded = world.databaseProxy.trap('responded', 'hold')
      const lost = recorder.book(0, call)
      await responded
      expect(await lost).toMatchObject({ status: 503 })
      expect(await used(booker)).toBe(1)
      expect(await recorder.settle(call, 1)).toMatchObject({ status: 202 })
    }
    expect([await used(booker), (await bookingsMade(booker)).size]).toEqual([1, 1])
  })
})
