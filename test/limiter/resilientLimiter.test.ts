import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { resilientLimiter } from '../../src/limiter/resilientLimiter.ts'
import { testClock } from '../helpers/clock.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useRedis, window } from './useRedis.ts'

const own = useRedis()

it('resilientLimiter is degraded after a start without Redis until Redis counts a request', async () => {
  const clock = testClock()
  const changes: unknown[] = []
  const limiter = resilientLimiter({
    shared: redisLimiter(own.redis),
    local: localLimiter(clock.now),
    now: clock.now,
    unavailableAtStart: true,
    onChange: (failure) => changes.push(failure),
  })
  expect(limiter.degraded()).toBe(true)
  clock.advanceSeconds(3)
  const decision = await limiter.consume(randomUUID(), [window('a', 3)])
  expect([decision.countedIn, limiter.degraded(), changes]).toEqual(['redis', false, [undefined]])
})

describe('release of resilientLimiter', () => {
  const createFixture = () => {
    const clock = testClock()
    let unavailable = false
    const shared = redisLimiter(own.redis)
    const failing =
      <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
      (...args: Args) =>
        unavailable ? Promise.reject(new Error('unavailable')) : call(...args)
    const limiter = resilientLimiter({
      shared: {
        ...shared,
        consume: failing(shared.consume),
        release: failing(shared.release),
      },
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: () => {},
    })
    const windows = [window('a', 3)]
    const subject = randomUUID()
    return {
      limiter,
      subject,
      windows,
      setUnavailable: (isUnavailable: boolean) => {
        unavailable = isUnavailable
        clock.advanceSeconds(2)
      },
      inRedis: async () => Number(await own.redis.get(`rl:{${subject}}:a`)),
    }
  }

  it('releases a slot in the process that counted it when Redis is available again', async () => {
    const { limiter, subject, windows, setUnavailable, inRedis } = createFixture()
    await limiter.consume(subject, windows)
    setUnavailable(true)
    await limiter.consume(subject, windows)
    const counted = await limiter.consume(subject, windows)
    expect(counted.countedIn).toBe('process')
    setUnavailable(false)
    expect((await limiter.consume(subject, windows)).countedIn).toBe('redis')
    const after = await limiter.release(subject, counted, 'a')
    expect(after.windows[0]?.remaining).toBe(2)
    expect(await inRedis()).toBe(2)
  })

  it('releases nothing when Redis counted the request and is now unavailable', async () => {
    const { limiter, subject, windows, setUnavailable, inRedis } = createFixture()
    const counted = await limiter.consume(subject, windows)
    setUnavailable(true)
    await limiter.consume(subject, windows)
    expect(await limiter.release(subject, counted, 'a')).toEqual(counted)
    expect(await inRedis()).toBe(1)
    const local = await limiter.consume(subject, windows, { count: false })
    expect([local.countedIn, local.windows[0]?.remaining]).toEqual(['process', 2])
  })
})

describe('resilientLimiter with an unavailable Redis', () => {
  it('counts in the process while Redis is unavailable, and in Redis again once it is probed two seconds later', async () => {
    const clock = testClock()
    const redis = new Redis(own.url, {
      enableOfflineQueue: false,
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    })
    const changes: unknown[] = []
    const limiter = resilientLimiter({
      shared: redisLimiter(redis),
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: (failure) => changes.push(failure === undefined ? 'available' : 'unavailable'),
    })
    const subject = randomUUID()
    const isAllowed = async () => (await limiter.consume(subject, [window('a', 2)])).allowed
    expect(await Promise.all([isAllowed(), isAllowed(), isAllowed()])).toEqual([true, true, false])
    // Three failures report one change.
    expect(changes).toEqual(['unavailable'])

    await waitFor(() => redis.status === 'ready')
    expect([await isAllowed(), limiter.degraded()]).toEqual([false, true])
    clock.advanceSeconds(2)
    expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
    expect([changes, limiter.degraded()]).toEqual([['unavailable', 'available'], false])
    redis.disconnect()
  })

  it('sends one probe at a time to a hanging Redis and blocks no other request', async () => {
    const clock = testClock()
    let calls = 0
    const limiter = resilientLimiter({
      shared: {
        ...redisLimiter(own.redis),
        consume: () => {
          calls += 1
          return calls === 1 ? Promise.reject(new Error('unavailable')) : new Promise(() => {})
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
    expect(calls).toBe(2)
  })
})
