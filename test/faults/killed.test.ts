import { describe, expect } from 'vitest'
import { closeGate, gatePoints } from '../helpers/gates.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const promptMs = 5_000

describe('a replica killed during a booking', () => {
  for (const [id, when, point] of [
    ['X-4 P0', 'before the redemption reaches the database', 'sent'],
    ['X-4 P6', 'after the commit, before the response', 'responded'],
  ] as const) {
    faultRow(id, `a replica is killed (kill -9) ${when}`, world, async (recorder) => {
      const call = await world.call()
      const reached = world.databaseProxy.trap(point, 'hold')
      const first = recorder.book(0, call)
      await reached
      const killedMs = performance.now()
      await world.replicas[0]?.kill()
      const revived = world.replace(0)
      expect(await recorder.settle(call, 1)).toMatchObject({ status: 202 })
      expect(performance.now() - killedMs).toBeLessThan(promptMs)
      expect((await first).type).toBe('info')
      await revived
    })
  }

  for (const [index, point] of gatePoints.entries()) {
    faultRow(
      `X-4 P${index + 1}`,
      `a replica is killed (kill -9) at the gate "${point}"`,
      world,
      async (recorder, seed) => {
        const call = await world.call()
        const gate = await closeGate(world.databaseUrl(), point, call)
        const first = recorder.book(0, call)
        await gate.arrived()
        const killedMs = performance.now()
        await world.replicas[0]?.kill()
        // Covers both outcomes: the database ends the orphaned statement or commits it.
        const ended = (seed + index) % 2 === 1
        if (!ended) await gate.open()
        const revived = world.replace(0)
        if (ended) await gate.left()
        await gate.open()
        expect(await recorder.settle(call, 1)).toMatchObject({ status: 202 })
        expect(performance.now() - killedMs).toBeLessThan(promptMs)
        expect((await first).type).toBe('info')
        await revived
      },
    )
  }

  faultRow(
    'X-4 P7',
    'a replica is killed (kill -9) after the response',
    world,
    async (recorder) => {
      const call = await world.call()
      const first = await recorder.book(0, call)
      await world.replicas[0]?.kill()
      const revived = world.replace(0)
      const replay = await recorder.book(1, call)
      expect([replay.status, replay.body]).toEqual([202, first.body])
      await revived
    },
  )
})
