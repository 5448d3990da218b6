import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Limiter, OnDecision } from '../../src/limiter/limiter.ts'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { resilientLimiter } from '../../src/limiter/resilientLimiter.ts'
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

const limiters: [string, (onDecision?: OnDecision) => Limiter][] = [
  ['the shared limiter', (onDecision) => redisLimiter(redis, onDecision)],
  ['the local limiter', (onDecision) => localLimiter(() => new Date(), onDecision)],
]

describe('requests that share a call', () => {
  it('are all told when it fails: none waits for ever', async () => {
    const lost = new Redis(testRedis.url, { lazyConnect: true, enableOfflineQueue: false })
    lost.on('error', () => {})
    const limiter = redisLimiter(lost)
    const asked = Array.from({ length: 5 }, () => limiter.consume(randomUUID(), [window('a', 3)]))
    const told = await Promise.allSettled(asked)
    expect(told.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    lost.disconnect()
  })
})

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

  it('tells of what it decided, by the first window, and not of what it was only asked', async () => {
    fresh()
    const told: unknown[] = []
    const telling = create((...decision) => told.push(decision))
    const ask = (options?: { count: boolean }) =>
      telling.consume(subject, [window('a', 1), window('b', 9)], options)
    await ask()
    await ask({ count: false })
    await ask()
    expect(told).toEqual([
      ['a', true],
      ['a', false],
    ])
  })

  it('only looks when told not to count', async () => {
    fresh()
    for (let n = 0; n < 3; n++) {
      const decision = await limiter.consume(subject, [window('a', 1)], { count: false })
      expect([decision.allowed, decision.windows[0]?.remaining]).toEqual([true, 1])
    }
  })

  it('takes back what was counted in one window, and tells how all stand', async () => {
    fresh()
    const both = [window('minute', 5), window('day', 2, 86_400)]
    await limiter.consume(subject, both)
    const counted = await limiter.consume(subject, both)
    expect((await limiter.consume(subject, both)).allowed).toBe(false)
    const after = await limiter.giveBack(subject, counted, 'day')
    expect(after.windows.map(({ remaining }) => remaining)).toEqual([3, 1])
    expect(after.windows[1]?.resetAtSeconds).toBe(counted.windows[1]?.resetAtSeconds)
    const asked = [await limiter.consume(subject, both), await limiter.consume(subject, both)]
    expect(asked.map(({ allowed }) => allowed)).toEqual([true, false])
    expect(asked[0]?.windows[1]?.resetAtSeconds).toBe(counted.windows[1]?.resetAtSeconds)
  })

  it('takes back no more than was counted', async () => {
    fresh()
    const counted = await limiter.consume(subject, [window('a', 2)])
    for (let n = 0; n < 3; n++) await limiter.giveBack(subject, counted, 'a')
    const { windows } = await limiter.consume(subject, [window('a', 2)], { count: false })
    expect(windows[0]?.remaining).toBe(2)
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

  it('takes nothing back from a window that began since', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    const counted = await limiter.consume('s', [window('a', 2)])
    clock.advanceSeconds(60)
    await limiter.consume('s', [window('a', 2)])
    const after = await limiter.giveBack('s', counted, 'a')
    expect(after.windows[0]?.remaining).toBe(1)
    expect(after.windows[0]?.resetAtSeconds).toBe((counted.windows[0]?.resetAtSeconds ?? 0) + 60)
  })

  // Else strangers with ever new addresses could set a caller free who has used up the day.
  it('forgets callers whose window is over before one who has to wait', async () => {
    const clock = testClock()
    const limiter = localLimiter(clock.now)
    const day = [window('day', 1, 86_400)]
    await limiter.consume('waiting', day)
    for (let n = 1; n < 100_000; n++) await limiter.consume(`s${n}`, [window('a', 1)])
    clock.advanceSeconds(60)
    await limiter.consume('new', [window('a', 1)])
    expect((await limiter.consume('waiting', day)).allowed).toBe(false)
    expect((await limiter.consume('new', [window('a', 1)])).allowed).toBe(false)
  })

  it('tells of each decision by the first of its windows, and not of a look', async () => {
    const told: [string, boolean][] = []
    const limiter = localLimiter(
      () => new Date(),
      (limit, allowed) => told.push([limit, allowed]),
    )
    const both = [window('quotes', 1), window('visitor', 9)]
    await limiter.consume('s', both)
    await limiter.consume('s', both, { count: false })
    await limiter.consume('s', both)
    expect(told).toEqual([
      ['quotes', true],
      ['quotes', false],
    ])
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

describe('a counter in Redis that is none', () => {
  const seconds = 60
  let subject: string
  let key: string
  beforeEach(() => {
    subject = randomUUID()
    key = `rl:{${subject}}:a`
  })

  it.each<[string, () => Promise<unknown>]>([
    ['has no end', () => redis.set(key, '2')],
    ['ends too far away', () => redis.set(key, '2', 'EX', seconds + 5)],
    ['ends in years', () => redis.set(key, '2', 'EX', 1e9)],
    ['is a word', () => redis.set(key, 'two', 'EX', seconds)],
    ['is empty', () => redis.set(key, '', 'EX', seconds)],
    ['is below zero', () => redis.set(key, '-5', 'EX', seconds)],
    ['is spelled otherwise', () => redis.set(key, '01', 'EX', seconds)],
    ['is a fraction', () => redis.set(key, '1.5', 'EX', seconds)],
    ['is no number to Lua alone', () => redis.set(key, 'nan', 'EX', seconds)],
    ['is a number to Lua alone', () => redis.set(key, '0x2', 'EX', seconds)],
    ['is beyond all counting', () => redis.set(key, '9'.repeat(19), 'EX', seconds)],
    ['is a hash', () => redis.multi().hset(key, 'a', '2').expire(key, seconds).exec()],
    ['is a list without an end', () => redis.rpush(key, '2')],
    ['is a set', () => redis.multi().sadd(key, '2').expire(key, seconds).exec()],
    ['is a sorted set', () => redis.multi().zadd(key, 1, 'a').expire(key, seconds).exec()],
    ['is a stream', () => redis.multi().xadd(key, '*', 'a', '2').expire(key, seconds).exec()],
  ])('since it %s is made anew', async (_, spoil) => {
    await spoil()
    const limiter = redisLimiter(redis)
    const asked = [window('a', 2, seconds)]
    const [look, neighbour] = await Promise.all([
      limiter.consume(subject, asked, { count: false }),
      limiter.consume(randomUUID(), asked),
    ])
    expect([look.windows[0]?.remaining, neighbour.allowed]).toEqual([2, true])
    const decisions = []
    for (let n = 0; n < 3; n++) decisions.push(await limiter.consume(subject, asked))
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false])
    expect(await redis.get(key)).toBe('2')
    expect(await redis.ttl(key)).toBeGreaterThan(0)
    expect(await redis.ttl(key)).toBeLessThanOrEqual(seconds)
    const [first] = decisions
    expect((first?.windows[0]?.resetAtSeconds ?? 0) - (first?.nowSeconds ?? 0)).toBe(seconds)
  })

  it('takes nothing back, and is left alone', async () => {
    const limiter = redisLimiter(redis)
    const counted = await limiter.consume(subject, [window('a', 2)])
    await redis.del(key)
    await redis.hset(key, 'a', '2')
    const after = await limiter.giveBack(subject, counted, 'a')
    expect(after.windows[0]?.remaining).toBe(2)
    expect(await redis.hgetall(key)).toEqual({ a: '2' })
  })

  it('of a window that began since takes nothing back', async () => {
    const limiter = redisLimiter(redis)
    const counted = await limiter.consume(subject, [window('a', 2)])
    const laterEnd = (counted.windows[0]?.resetAtSeconds ?? 0) - 7
    await redis.set(key, '1', 'EXAT', laterEnd)
    const after = await limiter.giveBack(subject, counted, 'a')
    expect([after.windows[0]?.remaining, after.windows[0]?.resetAtSeconds]).toEqual([1, laterEnd])
    expect(await redis.get(key)).toBe('1')
  })
})

describe('what was counted', () => {
  const both = () => {
    const clock = testClock()
    let away = false
    const shared = redisLimiter(redis)
    const failing =
      <Asked extends unknown[], T>(ask: (...asked: Asked) => Promise<T>) =>
      (...asked: Asked) =>
        away ? Promise.reject(new Error('away')) : ask(...asked)
    const limiter = resilientLimiter({
      shared: { consume: failing(shared.consume), giveBack: failing(shared.giveBack) },
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: () => {},
    })
    const asked = [window('a', 3)]
    const subject = randomUUID()
    return {
      limiter,
      subject,
      asked,
      setAway: (isAway: boolean) => {
        away = isAway
        clock.advanceSeconds(2)
      },
      inRedis: async () => Number(await redis.get(`rl:{${subject}}:a`)),
    }
  }

  it('in the process is taken back there, though Redis is back', async () => {
    const { limiter, subject, asked, setAway, inRedis } = both()
    await limiter.consume(subject, asked)
    setAway(true)
    await limiter.consume(subject, asked)
    const counted = await limiter.consume(subject, asked)
    expect(counted.countedIn).toBe('process')
    setAway(false)
    expect((await limiter.consume(subject, asked)).countedIn).toBe('redis')
    const after = await limiter.giveBack(subject, counted, 'a')
    expect(after.windows[0]?.remaining).toBe(2)
    expect(await inRedis()).toBe(2)
  })

  it('in Redis stays counted when Redis is away, and nowhere else is anything taken back', async () => {
    const { limiter, subject, asked, setAway, inRedis } = both()
    const counted = await limiter.consume(subject, asked)
    setAway(true)
    await limiter.consume(subject, asked)
    expect(await limiter.giveBack(subject, counted, 'a')).toEqual(counted)
    expect(await inRedis()).toBe(1)
    const local = await limiter.consume(subject, asked, { count: false })
    expect([local.countedIn, local.windows[0]?.remaining]).toEqual(['process', 2])
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

  it('who only looks finds out that Redis is back, too: an idle replica raises no alarm for ever', async () => {
    const clock = testClock()
    let answers = false
    const shared = redisLimiter(redis)
    const limiter = resilientLimiter({
      shared: {
        ...shared,
        async consume(...asked) {
          if (!answers) throw new Error('away')
          return shared.consume(...asked)
        },
      },
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: () => {},
    })
    await limiter.consume(randomUUID(), [window('a', 1)])
    clock.advanceSeconds(2)
    expect(limiter.degraded?.()).toBe(true)
    answers = true
    clock.advanceSeconds(2)
    await waitFor(() => limiter.degraded?.() === false, 5_000)
  })

  it('one request at a time tries a Redis that hangs, and nobody else waits for it', async () => {
    const clock = testClock()
    let asked = 0
    const limiter = resilientLimiter({
      shared: {
        ...redisLimiter(redis),
        consume: () => {
          asked += 1
          return asked === 1 ? Promise.reject(new Error('away')) : new Promise(() => {})
        },
      },
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: () => {},
    })
    await limiter.consume(randomUUID(), [window('a', 1)])
    clock.advanceSeconds(2)
    void limiter.consume(randomUUID(), [window('a', 1)])
    const others = Array.from({ length: 5 }, () => limiter.consume(randomUUID(), [window('a', 1)]))
    for (const { countedIn } of await Promise.all(others)) expect(countedIn).toBe('process')
    expect(asked).toBe(2)
  })

  it('a clock that was set back does not keep Redis waiting', async () => {
    const clock = testClock()
    let answers = false
    const limiter = resilientLimiter({
      shared: {
        ...redisLimiter(redis),
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
