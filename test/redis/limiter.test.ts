import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Limiter } from '../../src/redis/limiter.ts'
import { redisLimiter } from '../../src/redis/limiter.ts'
import { localLimiter } from '../../src/redis/localLimiter.ts'
import { resilientLimiter } from '../../src/redis/resilientLimiter.ts'
import { testClock } from '../helpers/clock.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'
import { waitFor } from '../helpers/waitFor.ts'

let testRedis: TestRedis
let redis: Redis

beforeAll(async () => {
  testRedis = await createTestRedis()
  redis = new Redis(testRedis.url)
})
afterAll(async () => {
  redis.disconnect()
  await testRedis.release()
})

const window = (name: string, limit: number, windowSeconds = 60) => ({ name, limit, windowSeconds })

const limiters: [string, () => Limiter][] = [
  ['the shared limiter', () => redisLimiter(redis)],
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

  it('counts down, then refuses, with a reset that stands still', async () => {
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

  it('counts a refused request in no window', async () => {
    fresh()
    const both = [window('minute', 2), window('day', 10, 86_400)]
    for (let n = 0; n < 5; n++) await limiter.consume(subject, both)
    const { windows } = await limiter.consume(subject, both, { count: false })
    expect(windows.map(({ remaining }) => remaining)).toEqual([0, 8])
  })

  it('allows exactly the limit when many ask at once', async () => {
    fresh()
    const decisions = await Promise.all(
      Array.from({ length: 100 }, () =>
        limiter.consume(subject, [window('minute', 10), window('day', 200, 86_400)]),
      ),
    )
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
  })

  it('only looks when told not to count', async () => {
    fresh()
    for (let n = 0; n < 3; n++) {
      const decision = await limiter.consume(subject, [window('a', 1)], { count: false })
      expect([decision.allowed, decision.windows[0]?.remaining]).toEqual([true, 1])
    }
  })

  it('keeps subjects and windows apart', async () => {
    fresh()
    await limiter.consume(subject, [window('a', 1)])
    expect((await limiter.consume(subject, [window('a', 1)])).allowed).toBe(false)
    expect((await limiter.consume(subject, [window('b', 1)])).allowed).toBe(true)
    expect((await limiter.consume(randomUUID(), [window('a', 1)])).allowed).toBe(true)
  })
})

describe('the local limiter', () => {
  it('starts anew when the window is over', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    await limiter.consume('s', [window('a', 1)])
    clock.advanceSeconds(59)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(false)
    clock.advanceSeconds(1)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(true)
  })

  it('starts anew when the clock was set back', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    await limiter.consume('s', [window('a', 1)])
    clock.advanceSeconds(-3_600)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(true)
    expect((await limiter.consume('s', [window('a', 1)])).allowed).toBe(false)
  })

  it('holds on to a bounded number of callers', async () => {
    const limiter = localLimiter(() => new Date())
    await limiter.consume('first', [window('a', 1)])
    for (let n = 0; n < 100_000; n++) await limiter.consume(`s${n}`, [window('a', 1)])
    expect((await limiter.consume('first', [window('a', 1)])).allowed).toBe(true)
    expect((await limiter.consume('s99999', [window('a', 1)])).allowed).toBe(false)
  })
})

describe('the shared limiter', () => {
  it('lets its counters end with their windows', async () => {
    const subject = randomUUID()
    await redisLimiter(redis).consume(subject, [window('a', 1), window('b', 1, 86_400)])
    const ttls = await Promise.all(['a', 'b'].map((name) => redis.ttl(`rl:{${subject}}:${name}`)))
    expect(ttls[0]).toBeLessThanOrEqual(60)
    expect(ttls[1]).toBeGreaterThan(86_000)
  })
})

describe('without an answer from Redis', () => {
  it('counting goes on in the process, and comes back after a pause', async () => {
    const clock = testClock()
    const away = new Redis(testRedis.url, {
      enableOfflineQueue: false,
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    })
    const changes: unknown[] = []
    const limiter = resilientLimiter({
      shared: redisLimiter(away),
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: (failure) => changes.push(failure === undefined ? 'back' : 'away'),
    })
    const subject = randomUUID()
    const ask = async () => (await limiter.consume(subject, [window('a', 2)])).allowed
    expect([await ask(), await ask(), await ask()]).toEqual([true, true, false])
    expect(changes).toEqual(['away'])

    await waitFor(() => away.status === 'ready', 5_000)
    expect([await ask(), limiter.degraded?.()]).toEqual([false, true])
    clock.advanceSeconds(2)
    expect([await ask(), await ask(), await ask()]).toEqual([true, true, false])
    expect([changes, limiter.degraded?.()]).toEqual([['away', 'back'], false])
    away.disconnect()
  })

  it('a clock that was set back does not keep Redis waiting', async () => {
    const clock = testClock()
    let answers = false
    const limiter = resilientLimiter({
      shared: {
        async consume(...asked) {
          if (!answers) throw new Error('away')
          return redisLimiter(redis).consume(...asked)
        },
      },
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: () => {},
    })
    await limiter.consume(randomUUID(), [window('a', 1)])
    answers = true
    clock.advanceSeconds(-3_600)
    await limiter.consume(randomUUID(), [window('a', 1)])
    expect(limiter.degraded?.()).toBe(false)
  })
})
