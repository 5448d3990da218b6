import { describe, expect } from 'vitest'
import { expectNotReady, expectRecovery, responseMaxMs } from './probes.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld()

/** Checks that the replica responds 503 in time and stays alive. */
async function expectUnreachable(recorder: ReturnType<typeof world.recorder>): Promise<void> {
  const call = await world.call()
  const response = await recorder.book(0, call)
  expect(response).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  expect(response.completedMs - response.invokedMs).toBeLessThan(responseMaxMs)
  await expectNotReady(world)
}

describe('network faults between a replica and its database', () => {
  faultRow(
    'X-6a',
    'a partition begins during a booking, without a reset',
    world,
    async (recorder) => {
      const call = await world.call()
      const sent = world.databaseProxy.trap('sent', 'hold')
      const first = recorder.book(0, call)
      await sent
      world.databaseProxy.blackhole()
      await expectUnreachable(recorder)
      expect((await first).status).toBe(503)
      world.databaseProxy.heal()
      await expectRecovery(world)
      expect((await recorder.settle(call)).status).toBe(202)
    },
  )

  faultRow('X-6b', 'connections to the database are refused and reset', world, async (recorder) => {
    world.databaseProxy.down()
    await expectUnreachable(recorder)
    world.databaseProxy.heal()
    await expectRecovery(world)
    expect((await recorder.book(0, await world.call())).status).toBe(202)
  })

  faultRow(
    'X-6c',
    'the network is slow: 100 ms with jitter, then 10 kB/s',
    world,
    async (recorder) => {
      world.databaseProxy.slow(50, 50)
      const calls = await Promise.all(Array.from({ length: 10 }, () => world.call()))
      const slow = await Promise.all(calls.map((call, n) => recorder.book(n, call)))
      for (const { status } of slow) expect(status).toBe(202)
      world.databaseProxy.throttle(10_000)
      expect((await recorder.settle(await world.call())).status).toBe(202)
      world.databaseProxy.heal()
    },
  )

  faultRow('X-7', 'a response is lost after the commit', world, async (recorder) => {
    const call = await world.call()
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
})
