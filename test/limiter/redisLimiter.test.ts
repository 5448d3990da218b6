import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, it } from 'vitest'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { useRedis, window } from './useRedis.ts'

const own = useRedis()

describe('batched requests', () => {
  it('throws for every request of a batch when the Redis call fails', async () => {
    const lost = new Redis(own.url, { lazyConnect: true, enableOfflineQueue: false })
    lost.on('error', () => {})
    const limiter = redisLimiter(lost)
    const requests = Array.from({ length: 5 }, () =>
      limiter.consume(randomUUID(), [window('a', 3)]),
    )
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    lost.disconnect()
  })
})

describe('the shared limiter', () => {
  it('expires counters with their windows', async () => {
    const subject = randomUUID()
    await redisLimiter(own.redis).consume(subject, [window('a', 1), window('b', 1, 86_400)])
    const ttls = await Promise.all(
      ['a', 'b'].map((name) => own.redis.ttl(`rl:{${subject}}:${name}`)),
    )
    expect(ttls[0]).toBeLessThanOrEqual(60)
    expect(ttls[1]).toBeGreaterThan(86_000)
  })
})

describe('an invalid counter in Redis', () => {
  const seconds = 60
  let subject: string
  let key: string
  beforeEach(() => {
    subject = randomUUID()
    key = `rl:{${subject}}:a`
  })

  it.each<[string, () => Promise<unknown>]>([
    ['has no expiry', () => own.redis.set(key, '2')],
    ['expires too late', () => own.redis.set(key, '2', 'EX', seconds + 30)],
    ['is a word', () => own.redis.set(key, 'two', 'EX', seconds)],
    ['is below zero', () => own.redis.set(key, '-5', 'EX', seconds)],
    ['is a fraction', () => own.redis.set(key, '1.5', 'EX', seconds)],
    ['is too large', () => own.redis.set(key, '9'.repeat(19), 'EX', seconds)],
    ['is a hash', () => own.redis.multi().hset(key, 'a', '2').expire(key, seconds).exec()],
    ['is a list without expiry', () => own.redis.rpush(key, '2')],
  ])('replaces a counter that %s', async (_, spoil) => {
    await spoil()
    const limiter = redisLimiter(own.redis)
    const windows = [window('a', 2, seconds)]
    const [look, neighbour] = await Promise.all([
      limiter.consume(subject, windows, { count: false }),
      limiter.consume(randomUUID(), windows),
    ])
    expect([look.windows[0]?.remaining, neighbour.allowed]).toEqual([2, true])
    const decisions = []
    for (let n = 0; n < 3; n++) decisions.push(await limiter.consume(subject, windows))
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false])
    expect(await own.redis.get(key)).toBe('2')
    expect(await own.redis.ttl(key)).toBeGreaterThan(0)
    expect(await own.redis.ttl(key)).toBeLessThanOrEqual(seconds)
    const [first] = decisions
    expect((first?.windows[0]?.resetAtSeconds ?? 0) - (first?.nowSeconds ?? 0)).toBe(seconds)
  })

  it('leaves an invalid counter unchanged on release', async () => {
    const limiter = redisLimiter(own.redis)
    const counted = await limiter.consume(subject, [window('a', 2)])
    await own.redis.del(key)
    await own.redis.hset(key, 'a', '2')
    const after = await limiter.release(subject, counted, 'a')
    expect(after.windows[0]?.remaining).toBe(2)
    expect(await own.redis.hgetall(key)).toEqual({ a: '2' })
  })
})
