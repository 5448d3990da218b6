import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openRedis } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { type FaultProxy, proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'
import { startOwnRedis } from '../helpers/servers/redis.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { window } from './useRedis.ts'

const patienceMs = 30_000
/** A busy machine must not look like a Redis that is away. */
const commandTimeoutMs = patienceMs

let testRedis: TestRedis
let proxy: FaultProxy
let redis: Redis

beforeEach(async () => {
  testRedis = await createTestRedis()
  proxy = await startFaultProxy(upstreamOf(testRedis.url))
  redis = await open(commandTimeoutMs)
})
afterEach(async () => {
  vi.useRealTimers()
  redis.disconnect()
  await proxy.stop()
  await testRedis.release()
})

async function open(commandTimeoutMs: number): Promise<Redis> {
  const url = proxiedUrl(testRedis.url, proxy)
  const client = await openRedis({ url, commandTimeoutMs, onError: () => {} })
  if (client instanceof Cluster) throw new Error('This is no cluster')
  return client
}

it('a cluster whose node is away or says nothing keeps no start waiting, and is tried again each second', async () => {
  const url = 'redis+cluster://127.0.0.1:1'
  const client = await openRedis({ url, commandTimeoutMs, onError: () => {} })
  client.disconnect()
  // A host that swallows what is sent to it can't be had on one machine.
  const { redisOptions, clusterRetryStrategy, enableOfflineQueue, enableReadyCheck } = (
    client as Cluster
  ).options
  expect([redisOptions?.connectTimeout, clusterRetryStrategy?.(99)]).toEqual([500, 1_000])
  // What is queued while it is away has no timeout, and its request no answer.
  expect(enableOfflineQueue).toBe(false)
  // One that is up but can't serve all would be asked again and again, and nothing start.
  expect(enableReadyCheck).toBe(false)
})

describe('the connection to Redis', () => {
  it('has no command wait longer than it may, so that the request is counted elsewhere', async () => {
    const impatient = await open(150)
    proxy.blackhole()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const swallowed = expect(impatient.ping()).rejects.toThrow('Command timed out')
    vi.advanceTimersByTime(150)
    await swallowed
    impatient.disconnect()
  })

  it('that is lost fails its commands at once: none waits for the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const lost = new Promise((resolve) => redis.once('reconnecting', resolve))
    proxy.down()
    await lost
    const asked = redis.ping().then(String, () => 'failed')
    // No time passes: what waits is not told anything.
    expect(await Promise.race([asked, turn('waits')])).toBe('failed')
  })

  it('is made anew, to where its name leads by then, when its Redis was demoted', async () => {
    const demoted = await startOwnRedis()
    const admin = new Redis(demoted.url)
    try {
      redis.disconnect()
      proxy.moveTo(upstreamOf(demoted.url))
      redis = await open(commandTimeoutMs)
      const count = () => redisLimiter(redis).consume(randomUUID(), [window('a', 9)])
      await count()
      await admin.replicaof('127.0.0.1', 1)
      // Only new connections go there: the one to the demoted Redis stays open.
      proxy.moveTo(upstreamOf(testRedis.url))
      await expect(count()).rejects.toThrow('READONLY')
      await waitFor(async () => (await count().catch(() => undefined))?.allowed, patienceMs)
    } finally {
      admin.disconnect()
      await demoted.stop()
    }
  })
})
