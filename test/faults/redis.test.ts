import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { upstreamOf } from '../helpers/faultProxy.ts'
import { startOwnRedis } from '../helpers/servers/redis.ts'
import type { TestServer } from '../helpers/servers/testServer.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld({ own: 'redis' })
const recoveryMaxMs = 5_000
const slowestMs = 1_000

let server: TestServer | undefined
let redis: Redis
beforeAll(() => {
  redis = new Redis(world.redis.url)
  redis.on('error', () => {})
})
afterAll(async () => {
  redis.disconnect()
  await server?.stop()
})

type Recorder = ReturnType<typeof world.recorder>

const state = async (): Promise<object> =>
  (await fetch(`${world.replicas[0]?.url}/readyz`)).json() as Promise<object>
const pid = async () => Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])

/** Checks that bookings on both replicas succeed with limit headers. */
async function expectService(recorder: Recorder): Promise<void> {
  for (const [n, quoteId] of (await world.quotes(20)).entries()) {
    const { status, window, invokedMs, completedMs } = await recorder.book(n, { quoteId })
    expect(status).toBe(202)
    expect(window?.limit).toBeGreaterThan(0)
    expect(completedMs - invokedMs).toBeLessThan(slowestMs)
  }
}

/** Waits for the shared counter; only requests probe Redis, so it sends some. */
async function expectSharedCounting(recorder: Recorder): Promise<void> {
  await waitFor(async () => {
    await recorder.book(0, { quoteId: randomUUID() })
    return !('redis' in (await state()))
  }, recoveryMaxMs)
}

describe('bookings when Redis fails', () => {
  faultRow('X-9', 'Redis is killed (kill -9), then replaced', world, async (recorder) => {
    const killed = await pid()
    process.kill(killed, 'SIGKILL')
    await waitFor(() => redis.status !== 'ready')
    await expectService(recorder)
    expect(await state()).toEqual({ status: 'ready', redis: 'degraded' })
    await server?.stop()
    server = await startOwnRedis()
    redis.disconnect()
    redis = new Redis(server.url)
    redis.on('error', () => {})
    world.redisProxy.moveTo(upstreamOf(server.url))
    world.redisProxy.reset()
    await expectSharedCounting(recorder)
  })

  faultRow('X-10a', 'Redis is paused (SIGSTOP)', world, async (recorder) => {
    const paused = await pid()
    process.kill(paused, 'SIGSTOP')
    try {
      await expectService(recorder)
      expect(await state()).toEqual({ status: 'ready', redis: 'degraded' })
    } finally {
      process.kill(paused, 'SIGCONT')
    }
    await expectSharedCounting(recorder)
  })

  faultRow('X-10b', 'Redis is slow: 100 ms, then 500 ms with jitter', world, async (recorder) => {
    world.redisProxy.slow(40)
    await expectService(recorder)
    world.redisProxy.slow(250, 250)
    await expectService(recorder)
    expect(await state()).toEqual({ status: 'ready', redis: 'degraded' })
    world.redisProxy.heal()
    await expectSharedCounting(recorder)
  })

  faultRow('X-10c', 'a partition from Redis begins, without a reset', world, async (recorder) => {
    world.redisProxy.blackhole()
    await expectService(recorder)
    world.redisProxy.heal()
    await expectSharedCounting(recorder)
  })

  faultRow('X-11a', 'Redis is flushed, including its scripts', world, async (recorder) => {
    await expectService(recorder)
    await redis.flushall()
    await redis.script('FLUSH')
    await expectService(recorder)
    await expectSharedCounting(recorder)
  })

  faultRow(
    'X-11b',
    'Redis becomes a read-only replica after a failover',
    world,
    async (recorder) => {
      await redis.replicaof('127.0.0.1', 1)
      await expectService(recorder)
      expect(await state()).toEqual({ status: 'ready', redis: 'degraded' })
      await redis.replicaof('NO', 'ONE')
      await expectSharedCounting(recorder)
    },
  )

  faultRow('X-11c', 'Redis is out of memory', world, async (recorder) => {
    await redis.config('SET', 'maxmemory', '1')
    await expectService(recorder)
    expect(await state()).toEqual({ status: 'ready', redis: 'degraded' })
    await redis.config('SET', 'maxmemory', '0')
    await expectSharedCounting(recorder)
  })
})
