import { describe, expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { testClock } from '../helpers/clock.ts'
import { window } from './useRedis.ts'

describe('the local limiter', () => {
  it('starts a new count when the window ends', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    await limiter.consume('s', [window('a', 1)])
    clock.advanceSeconds(59)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(false)
    clock.advanceSeconds(1)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(true)
  })

  it('releases nothing when a new window has started', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    const counted = await limiter.consume('s', [window('a', 2)])
    clock.advanceSeconds(60)
    await limiter.consume('s', [window('a', 2)])
    const after = await limiter.release('s', counted, 'a')
    expect(after.windows[0]?.remaining).toBe(1)
    expect(after.windows[0]?.resetAtSeconds).toBe((counted.windows[0]?.resetAtSeconds ?? 0) + 60)
  })

  it('keeps the exhausted daily window of a key when 100,000 new addresses arrive', async () => {
    const limiter = localLimiter(testClock().now)
    const day = [window('day', 1, 86_400)]
    await limiter.consume('waiting', day)
    for (let n = 0; n <= 100_000; n++) await limiter.consume(`s${n}`, [window('a', 1)])
    expect((await limiter.consume('waiting', day)).allowed).toBe(false)
  })

  it('stores at most 100,000 callers and drops the oldest', async () => {
    const limiter = localLimiter(() => new Date())
    await limiter.consume('first', [window('a', 1)])
    for (let n = 0; n < 100_000; n++) await limiter.consume(`s${n}`, [window('a', 1)])
    expect((await limiter.consume('first', [window('a', 1)])).allowed).toBe(true)
    for (const subject of ['s1', 's99999'])
      expect((await limiter.consume(subject, [window('a', 1)])).allowed).toBe(false)
  })
})
