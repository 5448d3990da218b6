import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { openRedis } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { resilientLimiter } from '../../src/limiter/resilientLimiter.ts'
import { testClock } from '../helpers/clock.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/servers/redisCluster.ts'
import { waitFor } from '../helpers/waitFor.ts'

let cluster: RedisCluster
let clients: (Redis | Cluster)[]

beforeAll(async () => {
  cluster = await startRedisCluster()
  // Two, as two replicas would have.
  clients = await Promise.all([connect(30_000), connect(30_000)])
})
afterAll(async () => {
  for (const client of clients) client.disconnect()
  await cluster.stop()
})

/** A busy machine must not look like a Redis that is away. */
const connect = (commandTimeoutMs: number) =>
  openRedis({ url: cluster.url, commandTimeoutMs, onError: () => {} })

const windows = [
  { name: 'bookings', limit: 10, windowSeconds: 60 },
  { name: 'bookings-day', limit: 200, windowSeconds: 86_400 },
]
const keyCounts = () => Promise.all(cluster.masters.map((master) => master.dbsize()))

describe('on a cluster of three masters', () => {
  it('100 subjects are each held to exactly their limit by two replicas', async () => {
    for (const master of cluster.masters) await master.flushall()
    const limiters = clients.map((client) => redisLimiter(client))
    const allowed: number[] = []
    // One subject after the other: a busy machine must not run into the timeout of a command.
    for (let n = 0; n < 100; n++) {
      const subject = randomUUID()
      const asked = Array.from({ length: 30 }, (_, m) => limiters[m % 2]?.consume(subject, windows))
      const decisions = await Promise.all(asked)
      allowed.push(decisions.filter((decision) => decision?.allowed === true).length)
    }
    expect(new Set(allowed)).toEqual(new Set([10]))
    // Both windows of a subject are on one master, and the subjects are on all of them.
    const counts = await keyCounts()
    expect(counts.reduce((sum, count) => sum + count)).toBe(200)
    for (const count of counts) expect(count % 2).toBe(0)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  })

  it('is found though the first of its nodes is away', async () => {
    const url = cluster.url.replace('//', '//127.0.0.1:1,')
    const client = await openRedis({ url, commandTimeoutMs: 30_000, onError: () => {} })
    const { countedIn } = await redisLimiter(client).consume(randomUUID(), windows)
    client.disconnect()
    expect(countedIn).toBe('redis')
  })

  it('what one replica counted another takes back', async () => {
    const [one, two] = clients.map((client) => redisLimiter(client))
    // Several subjects, so that each master has one.
    for (let n = 0; n < 10; n++) {
      const subject = randomUUID()
      const counted = await one?.consume(subject, windows)
      if (counted !== undefined) await two?.release(subject, counted, 'bookings-day')
      const stand = await one?.consume(subject, windows, { count: false })
      expect(stand?.windows.map(({ remaining }) => remaining)).toEqual([9, 200])
    }
  })

  it('a master that pauses is counted for in the process, and shared again once it answers', async () => {
    const pausedMs = 60_000
    const clock = testClock()
    const client = await connect(150)
    clients.push(client)
    const changes: string[] = []
    const limiter = resilientLimiter({
      shared: redisLimiter(client),
      local: localLimiter(clock.now),
      now: clock.now,
      onChange: (failure) => changes.push(failure === undefined ? 'back' : 'away'),
    })
    const all = (...words: [string, ...(string | number)[]]) =>
      Promise.all(cluster.masters.map((master) => master.call('CLIENT', ...words)))
    // Of what is written only: else nobody could end it.
    await all('PAUSE', pausedMs, 'WRITE')
    const started = performance.now()
    const subject = randomUUID()
    const decision = await limiter.consume(subject, windows)
    expect(performance.now() - started).toBeLessThan(pausedMs / 2)
    expect([decision.allowed, decision.windows[0]?.remaining]).toEqual([true, 9])
    expect(changes).toEqual(['away'])
    await all('UNPAUSE')
    await waitFor(async () => {
      clock.advanceSeconds(2)
      await limiter.consume(subject, windows, { count: false })
      return changes.at(-1) === 'back'
    })
  })
})
