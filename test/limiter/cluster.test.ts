import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRedis } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/servers/redisCluster.ts'

let cluster: RedisCluster
let clients: (Redis | Cluster)[]

beforeAll(async () => {
  cluster = await startRedisCluster()
  // One client for each of two replicas.
  clients = await Promise.all([connect(30_000), connect(30_000)])
})
afterAll(async () => {
  for (const client of clients) client.disconnect()
  await cluster.stop()
})

/** The long timeout keeps a busy machine from looking like an unavailable Redis. */
const connect = (commandTimeoutMs: number) =>
  openRedis({ url: cluster.url, commandTimeoutMs, onError: () => {} })

const windows = [
  { name: 'bookings', limit: 10, windowSeconds: 60 },
  { name: 'bookings-day', limit: 200, windowSeconds: 86_400 },
]
const keyCounts = () => Promise.all(cluster.masters.map((master) => master.dbsize()))

describe('a Redis cluster of three masters', () => {
  it('allows each of 100 callers exactly the limit across two replicas', async () => {
    for (const master of cluster.masters) await master.flushall()
    const limiters = clients.map((client) => redisLimiter(client))
    const allowed: number[] = []
    // Subjects run in turn, so that a busy machine does not hit the command timeout.
    for (let n = 0; n < 100; n++) {
      const subject = randomUUID()
      const requests = Array.from({ length: 30 }, (_, m) =>
        limiters[m % 2]?.consume(subject, windows),
      )
      const decisions = await Promise.all(requests)
      allowed.push(decisions.filter((decision) => decision?.allowed === true).length)
    }
    expect(new Set(allowed)).toEqual(new Set([10]))
    // Both windows of one caller are on one master, and the callers are spread over all masters.
    const counts = await keyCounts()
    expect(counts.reduce((sum, count) => sum + count)).toBe(200)
    for (const count of counts) expect(count % 2).toBe(0)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  })

  it('releases a slot through one replica when another replica counted it', async () => {
    const [one, two] = clients.map((client) => redisLimiter(client))
    for (let n = 0; n < 10; n++) {
      const subject = randomUUID()
      const counted = await one?.consume(subject, windows)
      if (counted !== undefined) await two?.release(subject, counted, 'bookings-day')
      const status = await one?.consume(subject, windows, { count: false })
      expect(status?.windows.map(({ remaining }) => remaining)).toEqual([9, 200])
    }
  })
})
