import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRedisError, openRedis } from '../../src/limiter/openRedis.ts'
import { redisLimiter } from '../../src/limiter/redisLimiter.ts'
import { startOwnRedis } from '../helpers/servers/redis.ts'
import type { TestServer } from '../helpers/servers/testServer.ts'
import { window } from './useRedis.ts'

const patienceMs = 30_000
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, documented = ''] = /ACL SETUSER rental on >… (~rl:\* .*)/.exec(operations) ?? []
const rules = documented.split(' ')
const commands = rules.filter((rule) => rule.startsWith('+'))

let server: TestServer
let admin: Redis
beforeAll(async () => {
  server = await startOwnRedis()
  admin = new Redis(server.url)
})
afterAll(async () => {
  admin.disconnect()
  await server.stop()
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

/** Counts two requests and releases one, with an empty script cache. */
async function countAs(url: string): Promise<unknown> {
  const client = await openRedis({ url, commandTimeoutMs: patienceMs, onError: () => {} })
  try {
    await admin.script('FLUSH')
    const limiter = redisLimiter(client)
    const subject = randomUUID()
    await limiter.consume(subject, [window('a', 9)])
    const counted = await limiter.consume(subject, [window('a', 9)])
    await limiter.release(subject, counted, 'a')
    return await admin.get(`rl:{${subject}}:a`)
  } finally {
    client.disconnect()
  }
}

describe('the Redis user of docs/operations.md', () => {
  it('allows the documented user to count and release requests, but not to flush or read other keys', async () => {
    expect(rules).toHaveLength(9)
    const url = await userWith(rules)
    expect(await countAs(url)).toBe('1')
    const client = await openRedis({ url, commandTimeoutMs: patienceMs, onError: () => {} })
    await expect(client.flushall()).rejects.toThrow('NOPERM')
    await expect(client.get('other')).rejects.toThrow('NOPERM')
    client.disconnect()
  })

  it.each(commands)('Redis rejects counting when the rule %s is missing', async (command) => {
    const url = await userWith(rules.filter((rule) => rule !== command))
    const rejection = await countAs(url).catch(describeRedisError)
    expect(rejection).toMatch(/NOPERM|can't run this command|No permissions/)
  })

  it('rejects a client without a password', async () => {
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')
    const errors: Error[] = []
    const onError = (error: Error) => void errors.push(error)
    const client = await openRedis({ url: server.url, commandTimeoutMs: patienceMs, onError })
    client.disconnect()
    expect(errors.map(describeRedisError).join()).toMatch(/WRONGPASS|NOAUTH/)
  })

  it('rejects the documented user without its key pattern', async () => {
    const url = await userWith(commands)
    expect(await countAs(url).catch(describeRedisError)).toMatch(
      /NOPERM|can't run this command|No permissions/,
    )
  })
})
