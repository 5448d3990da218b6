import { setImmediate as tick } from 'node:timers/promises'
import { Cluster, type Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openRedis } from '../../src/limiter/openRedis.ts'
import { type FaultProxy, proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'

const patienceMs = 30_000
/** The long timeout keeps a busy machine from looking like an unavailable Redis. */
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
  if (client instanceof Cluster) throw new Error('Expected a client of a single Redis')
  return client
}

it('openRedis does not wait for an unavailable cluster and retries every second', async () => {
  const url = 'redis+cluster://127.0.0.1:1'
  const client = await openRedis({ url, commandTimeoutMs, onError: () => {} })
  client.disconnect()
  // Checks options, because one machine cannot simulate a host that drops packets.
  const { redisOptions, clusterRetryStrategy, enableOfflineQueue, enableReadyCheck } = (
    client as Cluster
  ).options
  expect([redisOptions?.connectTimeout, clusterRetryStrategy?.(99)]).toEqual([500, 1_000])
  // Commands in the offline queue have no timeout.
  expect(enableOfflineQueue).toBe(false)
  // The ready check would loop on a cluster that does not serve all slots and block the start.
  expect(enableReadyCheck).toBe(false)
})

describe('the connection to Redis', () => {
  it('rejects a command when the command timeout elapses', async () => {
    const impatient = await open(150)
    proxy.blackhole()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rejection = expect(impatient.ping()).rejects.toThrow('Command timed out')
    vi.advanceTimersByTime(150)
    await rejection
    impatient.disconnect()
  })

  it('rejects commands at once when the connection is lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const lost = new Promise((resolve) => redis.once('reconnecting', resolve))
    proxy.down()
    await lost
    const pinged = redis.ping().then(String, () => 'failed')
    // Timers are fake, so a waiting command would never settle.
    expect(await Promise.race([pinged, tick('waits')])).toBe('failed')
  })
})
