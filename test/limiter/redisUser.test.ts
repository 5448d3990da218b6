import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openRedis, redisRefusal } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { createLog } from '../../src/log.ts'
import { openDeps } from '../../src/openDeps.ts'
import { patientRedisTimeoutMs, sessionSecret } from '../helpers/app.ts'
import { testClock } from '../helpers/clock.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { startReplica } from '../helpers/replica.ts'
import { startOwnRedis } from '../helpers/servers/redis.ts'
import type { TestServer } from '../helpers/servers/testServer.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { window } from './useRedis.ts'

const patienceMs = 30_000
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, documented = ''] = /ACL SETUSER rental on >… (~rl:\* .*)/.exec(operations) ?? []
const rules = documented.split(' ')
const commands = rules.filter((rule) => rule.startsWith('+'))

let server: TestServer
let admin: Redis
let database: TestDatabase
beforeAll(async () => {
  server = await startOwnRedis()
  admin = new Redis(server.url)
  database = await createTestDatabase()
})
afterAll(async () => {
  admin.disconnect()
  await server.stop()
  await database.drop()
})

const urlOf = (user: string, password: string) => {
  const url = new URL(server.url)
  url.username = user
  url.password = password
  return url.href
}

async function userWith(allowed: readonly string[]): Promise<string> {
  const name = randomUUID()
  await admin.call('ACL', 'SETUSER', name, 'on', '>secret', ...allowed)
  return urlOf(name, 'secret')
}

/** Counts one request and takes it back, as a user whom Redis has never seen a script of. */
async function countAs(url: string): Promise<unknown> {
  const client = await openRedis({ url, commandTimeoutMs: patienceMs, onError: () => {} })
  try {
    await admin.script('FLUSH')
    const limiter = redisLimiter(client)
    const subject = randomUUID()
    await limiter.consume(subject, [window('a', 9)])
    const counted = await limiter.consume(subject, [window('a', 9)])
    await limiter.giveBack(subject, counted, 'a')
    return await admin.get(`rl:{${subject}}:a`)
  } finally {
    client.disconnect()
  }
}

describe('the Redis user of the document', () => {
  it('can count, and nothing else', async () => {
    expect(rules).toHaveLength(9)
    const url = await userWith(rules)
    expect(await countAs(url)).toBe('1')
    const client = await openRedis({ url, commandTimeoutMs: patienceMs, onError: () => {} })
    await expect(client.flushall()).rejects.toThrow('NOPERM')
    await expect(client.get('other')).rejects.toThrow('NOPERM')
    client.disconnect()
  })

  it.each(commands)(
    'needs %s: without it Redis refuses, and no limit is skipped',
    async (command) => {
      const url = await userWith(rules.filter((rule) => rule !== command))
      const refusal = await countAs(url).catch(redisRefusal)
      expect(refusal).toContain('lacks a permission')
    },
  )

  it('needs its password: Redis refuses whoever has none in the URL', async () => {
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')
    const errors: Error[] = []
    const onError = (error: Error) => void errors.push(error)
    const client = await openRedis({ url: server.url, commandTimeoutMs: patienceMs, onError })
    client.disconnect()
    expect(errors.map(redisRefusal)).toContain('the user or password in REDIS_URL is wrong')
  })

  it('needs its keys', async () => {
    const url = await userWith(commands)
    expect(await countAs(url).catch(redisRefusal)).toContain('lacks a permission')
  })
})

const isConnected = async (url: string) =>
  ((await admin.client('LIST')) as string).includes(`user=${new URL(url).username} `)

const refused = 'limits are counted in the process: Redis refuses'
const again = 'limits are counted in Redis again'

describe('a server that Redis refuses', () => {
  it.each([
    ['a wrong password', () => urlOf('default', 'wrong'), 'password'],
    ['a missing permission', () => userWith(['~rl:*', '+time']), 'permission'],
  ])('says so once for %s, in JSON, and serves', async (_, url, word) => {
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')
    const replica = await startReplica({ databaseUrl: database.url, redisUrl: await url() })
    const warnings = () =>
      replica
        .lines()
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level > 30)
    try {
      for (let n = 0; n < 3; n++)
        expect((await fetch(`${replica.url}/api/v1/none`)).status).toBe(404)
      await waitFor(() => warnings().length > 0, patienceMs)
      replica.signal('SIGINT')
      await replica.exited
    } finally {
      await replica.kill()
    }
    expect(warnings().map(({ msg }) => msg)).toEqual([refused])
    expect(warnings()[0].reason).toContain(word)
  })

  it('says so again when it is refused again, after it was mended once', async () => {
    const less = '~rl:* +time'
    const { url, count, allow, told } = await aLimiterOf(await userWith(less.split(' ')))
    await count()
    for (const allowed of [rules.join(' '), less]) {
      await allow(url, `-@all ${allowed}`)
      await count()
    }
    expect(await told()).toEqual([refused, again, refused])
  })

  it.each([
    ['as long as it is wrong', 'process', [refused]],
    ['and when it is right again before anybody asked', 'redis', [refused, again]],
  ])('says only that, not that Redis is away, when its password is changed: %s', async (...row) => {
    const [, countedIn, said] = row
    const { url, count, allow, lines, told } = await aLimiterOf(await userWith(rules))
    expect(await count()).toBe('redis')
    await allow(url, 'resetpass >other ~rl:*')
    await admin.client('KILL', 'USER', new URL(url).username)
    await waitFor(() => lines().includes(refused), patienceMs)
    if (countedIn === 'redis') {
      await allow(url, '>secret ~rl:*')
      await waitFor(() => isConnected(url), patienceMs)
    }
    expect(await count()).toBe(countedIn)
    expect(await told()).toEqual(said)
  })

  it('says so again, too, when it was mended before anybody asked', async () => {
    const right = await userWith(rules)
    const wrong = right.replace(':secret@', ':wrong@')
    const { url, count, allow, told } = await aLimiterOf(wrong)
    await allow(url, `>wrong ${rules.join(' ')}`)
    await waitFor(() => isConnected(url), patienceMs)
    await waitFor(async () => (await count()) === 'redis', patienceMs)
    await allow(url, '-@all ~rl:* +time')
    await count()
    expect(await told()).toEqual([refused, again, refused])
  })
})

describe('a Redis that can be read, but not written to', () => {
  const away = 'limits are counted in the process: Redis does not answer'

  it.each([
    ['its disk is full, or it is a replica now', rules, 1, away],
    ['the user lacks +set', rules.filter((rule) => rule !== '+set'), 0, refused],
  ])('is not taken for one that is back: %s', async (_, allowed, replicasMin, warning) => {
    const { url, count, look, allow, told, metrics } = await aLimiterOf(await userWith(allowed))
    await admin.config('SET', 'min-replicas-to-write', replicasMin)
    try {
      expect(await count()).toBe('process')
      for (let n = 0; n < 2; n++) expect(await look()).toEqual({ degraded: true })
    } finally {
      await admin.config('SET', 'min-replicas-to-write', 0)
    }
    await allow(url, rules.join(' '))
    expect(await look()).toEqual({ degraded: false })
    expect(await metrics()).not.toContain('trial')
    expect(await told()).toEqual([warning, again])
  })

  it('is not said to be back as long as only the first count of a window can be written', async () => {
    const without = (...missing: string[]) => rules.filter((rule) => !missing.includes(rule))
    const limiter = await aLimiterOf(await userWith(without('+set', '+incr')))
    expect(await limiter.count()).toBe('process')
    await limiter.allow(limiter.url, without('+incr').join(' '))
    for (let n = 0; n < 2; n++) expect(await limiter.look()).toEqual({ degraded: true })
    expect(await limiter.told()).toEqual([refused])
  })
})

describe('a Redis that does not answer at the start', () => {
  const away = 'limits are counted in the process: Redis does not answer'

  it('is told then, once, and so is its coming back', async () => {
    const right = await userWith(rules)
    const proxy = await startFaultProxy(upstreamOf(right))
    try {
      proxy.down()
      const { count, told, lines, records } = await aLimiterOf(proxiedUrl(right, proxy))
      expect(lines()).toEqual([away])
      const address = `127.0.0.1:${new URL(proxiedUrl(right, proxy)).port}`
      expect(records()).toMatchObject([{ reason: expect.stringContaining(address) }])
      expect(records()[0]).not.toHaveProperty('err')
      expect([await count(), await count()]).toEqual(['process', 'process'])
      proxy.heal()
      await waitFor(async () => (await count()) === 'redis', patienceMs)
      expect(await told()).toEqual([away, again])
    } finally {
      await proxy.stop()
    }
  })

  it('is told to refuse us where it comes back and does', async () => {
    const wrong = (await userWith(rules)).replace(':secret@', ':wrong@')
    const proxy = await startFaultProxy(upstreamOf(wrong))
    try {
      proxy.down()
      const { told, lines } = await aLimiterOf(proxiedUrl(wrong, proxy))
      proxy.heal()
      await waitFor(() => lines().includes(refused), patienceMs)
      expect(await told()).toEqual([away, refused])
    } finally {
      await proxy.stop()
    }
  })

  it('is told to be back, too, when it came back before anybody asked', async () => {
    const right = await userWith(rules)
    const proxy = await startFaultProxy(upstreamOf(right))
    try {
      proxy.down()
      const { count, told } = await aLimiterOf(proxiedUrl(right, proxy))
      proxy.heal()
      const connected = `user=${new URL(right).username} `
      await waitFor(
        async () => ((await admin.client('LIST')) as string).includes(connected),
        patienceMs,
      )
      // Redis knows of the connection before its client does.
      await waitFor(async () => (await count()) === 'redis', patienceMs)
      expect(await told()).toEqual([away, again])
    } finally {
      await proxy.stop()
    }
  })
})

/** A limiter whose requests come two seconds after each other, on the Redis user of a URL. */
async function aLimiterOf(url: string) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const sentences = () => lines.map((line) => JSON.parse(line).msg)
  const clock = testClock()
  const config = parseConfig({
    ...{ REDIS_URL: url, REDIS_TIMEOUT_MS: patientRedisTimeoutMs },
    SESSION_SECRETS: sessionSecret,
  })
  const { deps, close } = await openDeps(config, database.url, log, clock)
  return {
    url,
    async count() {
      clock.advanceSeconds(2)
      return (await deps.limiter.consume(randomUUID(), [window('a', 9)])).countedIn
    },
    /** As a preflight does. */
    async look() {
      clock.advanceSeconds(2)
      await deps.limiter.consume(randomUUID(), [window('a', 9)], { count: false })
      return { degraded: deps.limiter.degraded() }
    },
    metrics: () => deps.metrics.text(),
    async allow(of: string, allowed: string) {
      const user = new URL(of).username
      await admin.call('ACL', 'SETUSER', user, 'resetkeys', ...allowed.split(' '))
    },
    lines: sentences,
    records: () => lines.map((line) => JSON.parse(line)),
    async told() {
      await close()
      return sentences()
    },
  }
}
