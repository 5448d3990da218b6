import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { openRedis, redisTrouble } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { resilientLimiter } from '../../src/limiter/resilientLimiter.ts'
import { testClock } from '../helpers/clock.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/servers/redisCluster.ts'
import { waitFor } from '../helpers/waitFor.ts'

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')

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

  it('subjects that come at the same time are each counted there, whichever master has them', async () => {
    const limiter = redisLimiter(clients[0] as Cluster)
    const subjects = Array.from({ length: 20 }, () => randomUUID())
    for (const remaining of [9, 8]) {
      const decisions = await Promise.all(subjects.map((one) => limiter.consume(one, windows)))
      expect(decisions.map(({ countedIn }) => countedIn)).toEqual(subjects.map(() => 'redis'))
      expect(decisions.map((one) => one.windows[0]?.remaining)).toEqual(
        subjects.map(() => remaining),
      )
    }
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
      if (counted !== undefined) await two?.giveBack(subject, counted, 'bookings-day')
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

  it('that is down is not tried again by the same request', async () => {
    const [master] = cluster.masters
    const client = await connect(30_000)
    clients.push(client)
    await master?.call('CLUSTER', 'DELSLOTS', 0)
    await master?.call('CONFIG', 'RESETSTAT')
    const limiter = redisLimiter(client)
    // Some of the subjects are on that master.
    await waitFor(() =>
      limiter.consume(randomUUID(), windows).then(
        () => false,
        () => true,
      ),
    )
    const said = await master?.info('errorstats')
    await master?.call('CLUSTER', 'ADDSLOTS', 0)
    await waitFor(async () =>
      `${await master?.call('CLUSTER', 'INFO')}`.includes('cluster_state:ok'),
    )
    expect(said).toContain('errorstat_CLUSTERDOWN:count=1\r\n')
  })

  it('counts as a user who may do what the document says, and no more', async () => {
    const [, , first = ''] = operations.match(/ACL SETUSER rental (on >… (.*))/) ?? []
    const [, second = ''] = operations.match(/ACL SETUSER rental (\+cluster.*)/) ?? []
    const rules = `${first} ${second}`.split(' ')
    for (const master of cluster.masters) {
      await master.call('ACL', 'SETUSER', 'rental', 'on', '>a/b@c', ...rules)
    }
    const url = cluster.url.replace('127.0.0.1', 'rental:a%2Fb%40c@127.0.0.1')
    const asked = { commandTimeoutMs: 30_000, onError: () => {} }
    const client = await openRedis({ url, ...asked })
    const limiter = redisLimiter(client)
    // The masters that the URL names without a user let him in, too.
    await Promise.all(Array.from({ length: 20 }, () => limiter.consume(randomUUID(), windows)))
    client.disconnect()
    const errors: unknown[] = []
    const wrong = url.replace('a%2Fb', 'wrong')
    const refused = await openRedis({ url: wrong, ...asked, onError: (e) => errors.push(e) })
    refused.disconnect()
    expect(errors.map(redisTrouble).join()).toMatch(/WRONGPASS|NOAUTH/)
  })
})
