import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Limiter } from '../../src/limiter/limiter.ts'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { useRedis, window } from './useRedis.ts'

const own = useRedis()

const limiters: [string, () => Limiter][] = [
  ['the shared limiter', () => redisLimiter(own.redis)],
  ['the local limiter', () => localLimiter(() => new Date())],
]

describe.each(limiters)('%s', (_, create) => {
  let limiter: Limiter
  let subject: string
  beforeAll(() => {
    limiter = create()
  })
  const fresh = () => {
    subject = randomUUID()
  }

  it('counts down, then rejects, with a constant reset time', async () => {
    fresh()
    const decisions = []
    for (let n = 0; n < 4; n++) decisions.push(await limiter.consume(subject, [window('a', 3)]))
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false])
    expect(decisions.map(({ windows }) => windows[0]?.remaining)).toEqual([2, 1, 0, 0])
    const resets = new Set(decisions.map(({ windows }) => windows[0]?.resetAtSeconds))
    expect(resets.size).toBe(1)
    const [first] = decisions
    expect((first?.windows[0]?.resetAtSeconds ?? 0) - (first?.nowSeconds ?? 0)).toBe(60)
  })

  it('counts a rejected request in no window', async () => {
    fresh()
    const both = [window('minute', 2), window('day', 10, 86_400)]
    for (let n = 0; n < 5; n++) await limiter.consume(subject, both)
    const { windows } = await limiter.consume(subject, both, { count: false })
    expect(windows.map(({ remaining }) => remaining)).toEqual([0, 8])
  })

  it('allows exactly the limit when 30 requests arrive at once', async () => {
    const both = [window('minute', 10), window('day', 200, 86_400)]
    for (let round = 0; round < 50; round++) {
      fresh()
      const consumed = Array.from({ length: 30 }, () => limiter.consume(subject, both))
      const decisions = await Promise.all(consumed)
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
    }
  })

  it('counts nothing when count is false', async () => {
    fresh()
    for (let n = 0; n < 3; n++) {
      const decision = await limiter.consume(subject, [window('a', 1)], { count: false })
      expect([decision.allowed, decision.windows[0]?.remaining]).toEqual([true, 1])
    }
  })

  it('releases a slot in one window and returns the state of all windows', async () => {
    fresh()
    const both = [window('minute', 5), window('day', 2, 86_400)]
    await limiter.consume(subject, both)
    const counted = await limiter.consume(subject, both)
    expect((await limiter.consume(subject, both)).allowed).toBe(false)
    const after = await limiter.release(subject, counted, 'day')
    expect(after.windows.map(({ remaining }) => remaining)).toEqual([3, 1])
    expect(after.windows[1]?.resetAtSeconds).toBe(counted.windows[1]?.resetAtSeconds)
    const consumed = [await limiter.consume(subject, both), await limiter.consume(subject, both)]
    expect(consumed.map(({ allowed }) => allowed)).toEqual([true, false])
    expect(consumed[0]?.windows[1]?.resetAtSeconds).toBe(counted.windows[1]?.resetAtSeconds)
  })

  it('releases no more slots than were counted', async () => {
    fresh()
    const counted = await limiter.consume(subject, [window('a', 2)])
    for (let n = 0; n < 3; n++) await limiter.release(subject, counted, 'a')
    const { windows } = await limiter.consume(subject, [window('a', 2)], { count: false })
    expect(windows[0]?.remaining).toBe(2)
  })

  it('counts subjects and windows separately', async () => {
    fresh()
    await limiter.consume(subject, [window('a', 1)])
    expect((await limiter.consume(subject, [window('a', 1)])).allowed).toBe(false)
    expect((await limiter.consume(subject, [window('b', 1)])).allowed).toBe(true)
    expect((await limiter.consume(randomUUID(), [window('a', 1)])).allowed).toBe(true)
  })
})
