import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const responseMaxMs = 3_000
const recoveryMaxMs = 5_000

const aCall = async () => {
  const [quoteId = ''] = await world.quotes(1)
  return { quoteId, idempotencyKey: randomUUID() }
}
const probe = async (path: string) => (await fetch(`${world.replicas[0]?.url}${path}`)).status

/** Checks that the replica responds 503 in time and stays alive. */
async function expectUnreachable(recorder: ReturnType<typeof world.recorder>): Promise<void> {
  const call = await aCall()
  const response = await recorder.book(0, call)
  expect(response).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  expect(response.completedMs - response.invokedMs).toBeLessThan(responseMaxMs)
  const startedMs = performance.now()
  expect(await probe('/readyz')).toBe(503)
  expect(performance.now() - startedMs).toBeLessThan(responseMaxMs)
  expect(await probe('/healthz')).toBe(200)
}

async function expectRecovery(): Promise<void> {
  const backMs = performance.now()
  await waitFor(async () => (await probe('/readyz')) === 200, recoveryMaxMs)
  expect(performance.now() - backMs).toBeLessThan(recoveryMaxMs)
}

describe('network faults between a replica and its database', () => {
  faultRow(
    'X-6a',
    'a partition begins during a booking, without a reset',
    world,
    async (recorder) => {
      const call = await aCall()
      const sent = world.databaseProxy.trap('sent', 'hold')
      const first = recorder.book(0, call)
      await sent
      world.databaseProxy.blackhole()
      await expectUnreachable(recorder)
      expect((await first).status).toBe(503)
      world.databaseProxy.heal()
      await expectRecovery()
      expect((await recorder.settle(call)).status).toBe(202)
    },
  )

  faultRow('X-6b', 'connections to the database are refused and reset', world, async (recorder) => {
    world.databaseProxy.down()
    await expectUnreachable(recorder)
    world.databaseProxy.heal()
    await expectRecovery()
    expect((await recorder.book(0, await aCall())).status).toBe(202)
  })

  faultRow(
    'X-6c',
    'the network is slow: 100 ms with jitter, then 10 kB/s',
    world,
    async (recorder) => {
      world.databaseProxy.slow(50, 50)
      const calls = await Promise.all(Array.from({ length: 10 }, aCall))
      const slow = await Promise.all(calls.map((call, n) => recorder.book(n, call)))
      for (const { status } of slow) expect(status).toBe(202)
      world.databaseProxy.throttle(10_000)
      expect((await recorder.settle(await aCall())).status).toBe(202)
      world.databaseProxy.heal()
    },
  )

  faultRow('X-7', 'a response is lost after the commit', world, async (recorder) => {
    const call = await aCall()
    const cut = world.databaseProxy.trap('responded', 'cut')
    const first = recorder.book(0, call)
    await cut
    expect((await first).status).toBe(503)
    const booked = await world.database.pool.query('SELECT id FROM bookings WHERE quote_id = $1', [
      call.quoteId,
    ])
    const replay = await recorder.book(1, call)
    expect(replay).toMatchObject({ status: 202, bookingId: booked.rows[0]?.id })
  })

  faultRow(
    'X-7b',
    'a connection is lost before the redemption arrives',
    world,
    async (recorder) => {
      const call = await aCall()
      const cut = world.databaseProxy.trap('sent', 'cut')
      const first = recorder.book(0, call)
      await cut
      expect((await first).status).toBe(503)
      expect((await recorder.settle(call, 1)).status).toBe(202)
    },
  )
})
