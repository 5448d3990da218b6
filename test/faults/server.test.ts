import { describe, expect } from 'vitest'
import { upstreamOf } from '../helpers/faultProxy.ts'
import { closeGate, gatePoints } from '../helpers/gates.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { expectNotReady, expectRecovery, recoveryMaxMs, responseMaxMs } from './probes.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const guessesPerMinute = 20
const world = useWorld({
  own: 'postgres',
  env: { LIMIT_UNAUTHENTICATED_PER_MINUTE: String(guessesPerMinute) },
})

async function expectUnavailable(recorder: ReturnType<typeof world.recorder>, quoteId: string) {
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => recorder.book(0, { quoteId })),
  )
  for (const { status, invokedMs, completedMs } of responses) {
    expect(status).toBe(503)
    expect(completedMs - invokedMs).toBeLessThan(responseMaxMs)
  }
  await expectNotReady(world)
}

/** Restarts PostgreSQL, which then has another address. */
async function restartPostgres() {
  await world.postgres?.start()
  world.databaseProxy.moveTo(upstreamOf(world.databaseUrl()))
  await world.reopen()
}

describe('bookings when the PostgreSQL server fails', () => {
  faultRow(
    'X-1',
    'PostgreSQL is killed (kill -9) during a booking',
    world,
    async (recorder, seed) => {
      const [call, other] = await Promise.all([world.call(), world.call()])
      const point = gatePoints[seed % gatePoints.length] ?? 'after lock'
      const gate = await closeGate(world.databaseUrl(), point, call)
      const first = recorder.book(0, call)
      await gate.arrived()
      await world.postgres?.kill()
      expect((await first).status).toBe(503)
      await expectUnavailable(recorder, other.quoteId)
      await restartPostgres()
      await expectRecovery(world)
      const booked = await world.database.pool.query('SELECT 1 FROM bookings WHERE quote_id = $1', [
        call.quoteId,
      ])
      expect(booked.rowCount).toBe(0)
      expect((await recorder.settle(call)).status).toBe(202)
      await gate.open()
    },
  )

  faultRow(
    'X-1b',
    'PostgreSQL is unavailable, with 503 and never 429 for a valid key',
    world,
    async () => {
      const send = async () => {
        const headers = { authorization: `Bearer ${world.key.key}` }
        const response = await fetch(`${world.replicas[0]?.url}/api/v1/asset-groups`, { headers })
        expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
        return response.status
      }
      const seen: number[] = []
      const sendOnce = async () => seen[seen.push(await send()) - 1]
      await world.postgres?.kill()
      // Cached keys work briefly; then more requests fail than the unauthenticated limit allows.
      const failed = () => seen.filter((status) => status === 503).length
      await waitFor(async () => (await sendOnce()) === 503 && failed() > 3 * guessesPerMinute)
      expect(new Set(seen.filter((status) => status !== 200))).toEqual(new Set([503]))
      await restartPostgres()
      await waitFor(async () => (await sendOnce()) === 200, recoveryMaxMs)
      expect(seen).not.toContain(429)
    },
  )

  faultRow('X-3', 'PostgreSQL is paused (SIGSTOP to every process)', world, async (recorder) => {
    const [call, other] = await Promise.all([world.call(), world.call()])
    // Opens a connection on which the next request can hang.
    expect((await recorder.book(0, await world.call())).status).toBe(202)
    await world.postgres?.pause()
    const first = recorder.book(0, call)
    await expectUnavailable(recorder, other.quoteId)
    expect((await first).status).toBe(503)
    await world.postgres?.resume()
    await expectRecovery(world)
    // PostgreSQL may run the paused statement only now; the retry must not book twice.
    expect((await recorder.settle(call)).status).toBe(202)
  })
})
