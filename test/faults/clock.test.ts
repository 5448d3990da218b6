import { describe, expect } from 'vitest'
import type { Replica } from '../helpers/replica.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld({ replicas: 0, proxied: false })
const preload = ['--import', new URL('./preload.mjs', import.meta.url).href]
const offsets = [
  [90_000, -90_000],
  [-3_600_000, 3_600_000],
] as const

const skewed = (offsetMs: number): Promise<Replica> =>
  world.startReplica({
    nodeOptions: preload,
    // With this limit the minute window is always the most restrictive.
    env: { FAULT_CLOCK_OFFSET_MS: String(offsetMs), LIMIT_BOOKINGS_PER_DAY: '1000' },
  })

describe('replicas with wrong clocks', () => {
  faultRow(
    'X-13',
    'replica clocks are wrong by 90 s or an hour',
    world,
    async (_, seed, useInstead) => {
      const [ahead, behind] = offsets[seed % offsets.length] ?? offsets[0]
      await Promise.all(world.replicas.map((replica) => replica.kill()))
      const replicas = await Promise.all([skewed(ahead), skewed(behind)])
      world.replicas.splice(0, world.replicas.length, ...replicas)
      const recorder = world.recorder(replicas)
      // By the database's clock, the first quote expires at once, and the second before the offset of the fast clock.
      const [expired = ''] = await world.quotes(1, { expiresInMs: 1 })
      const [open = ''] = await world.quotes(1, { expiresInMs: 60_000 })
      const [valid = ''] = await world.quotes(1)
      const booked = await recorder.book(0, { quoteId: open })
      expect(booked.status).toBe(202)
      for (const replica of [0, 1]) {
        expect((await recorder.book(replica, { quoteId: expired })).code).toBe('QUOTE_EXPIRED')
      }
      const second = await recorder.book(1, { quoteId: valid })
      expect(second.status).toBe(202)
      const resets = [booked, second].map(({ window }) => window?.resetAtSeconds ?? 0)
      expect(Math.abs((resets[0] ?? 0) - (resets[1] ?? 0))).toBeLessThanOrEqual(1)
      useInstead(recorder)
    },
  )
})
