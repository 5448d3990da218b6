import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { aServer } from '../../helpers/actors.ts'
import { type TestApp, useReplicas } from '../../helpers/app.ts'
import { operations } from '../../helpers/operations.ts'
import { expectError, expectLimitHeaders } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const replicas = useReplicas(2, { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })
const untrusting = useReplicas(1, { LIMIT_UNAUTHENTICATED_PER_MINUTE: '20' })
const [first] = replicas as readonly [TestApp]
const [direct] = untrusting as readonly [TestApp]
const origin = 'https://shop.example'
const waveLength = 20

async function keyOf({ deps: { database } }: TestApp, values: Parameters<typeof aKey>[2] = {}) {
  return (await aKey(database, await aTenant(database), { origins: [origin], ...values })).key
}

const replica = (n: number) => replicas[n % replicas.length] as TestApp

/** Runs `run` and asserts that no limiter fell back to counting in the process. */
async function whileShared<T>(run: () => Promise<T>): Promise<T> {
  const result = await run()
  for (const { deps } of [...replicas, ...untrusting]) {
    expect(deps.limiter.degraded()).toBe(false)
  }
  return result
}

/** Runs in batches to bound the concurrency. */
async function inWaves<T>(count: number, run: (n: number) => PromiseLike<T>): Promise<T[]> {
  const results: T[] = []
  for (let n = 0; n < count; n += waveLength) {
    const wave = Array.from({ length: Math.min(waveLength, count - n) }, (_, m) => run(n + m))
    results.push(...(await Promise.all(wave)))
  }
  return results
}

const times = <T>(count: number, run: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => run(n))
const number = (value: string | undefined) => Number(value)

describe('limits over two replicas', () => {
  it.each(operations)('accepts exactly the limit of $name over two replicas', async (operation) => {
    const limits = { reads: 10, quotes: 10, sessions: 10, bookings: 10 }
    const responses = await whileShared(async () => {
      const key = await keyOf(first, { limits })
      return inWaves(200, (n) => {
        const request = replica(n).http[operation.method](`/api/v1${operation.path}`)
        return request
          .set({ 'x-api-key': key, 'idempotency-key': randomUUID() })
          .send(operation.body)
      })
    })
    const through = responses.filter(({ status }) => status !== 429)
    expect(through).toHaveLength(10)
    for (const rejected of responses.filter(({ status }) => status === 429)) {
      expectError(rejected, 429, 'RATE_LIMITED')
      expect(rejected.headers['ratelimit']).toContain(`"${operation.limit}";r=0`)
    }
    const left = through.map(({ headers }) => number(headers['x-ratelimit-remaining']))
    expect(left.sort((a, b) => a - b)).toEqual(times(10, (n) => n))
    // Both replicas report the end of the same window.
    expect(new Set(responses.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1)
    expectOneDialect(responses)
  })
})

describe('reads of a browser-only key', () => {
  it('are limited for each address, with or without an Origin, and leave others their share', async () => {
    const limits = { reads: 300, visitorReads: 10 }
    const key = await keyOf(first, { browserOnly: true, limits })
    const read = (n: number, address: string, headers = {}) =>
      replica(n)
        .http.get('/api/v1/asset-groups')
        .set({ 'x-api-key': key, 'x-forwarded-for': address, ...headers })
    const responses = await whileShared(() => inWaves(300, (n) => read(n, '198.51.100.7')))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    expectError(await read(0, '198.51.100.7', { origin }), 429, 'RATE_LIMITED')
    const neighbour = await read(1, '198.51.100.8', { origin })
    expect(neighbour.status).toBe(200)
    expect(neighbour.headers['ratelimit']).toMatch(/^"reads";r=289;.*"visitor";r=9;/)
  })
})

/** Asserts that X-RateLimit-* and RateLimit agree, in whole numbers. */
function expectOneDialect(
  responses: readonly { status: number; headers: Record<string, string> }[],
) {
  for (const { status, headers } of responses) {
    expectLimitHeaders({ headers })
    const respondedAtSeconds = Math.floor(Date.parse(headers['date'] ?? '') / 1000)
    const waitSeconds = number(headers['x-ratelimit-reset']) - respondedAtSeconds
    expect(waitSeconds).toBeGreaterThanOrEqual(-1)
    expect(waitSeconds).toBeLessThanOrEqual(86_401)
    const limit = headers['x-ratelimit-limit']
    const remaining = headers['x-ratelimit-remaining']
    expect(headers['ratelimit-policy']).toMatch(new RegExp(`;q=${limit};w=\\d+`))
    expect(headers['ratelimit']).toMatch(new RegExp(`;r=${remaining};t=\\d+`))
    if (status !== 429) expect(headers['retry-after']).toBeUndefined()
    else {
      expect(Math.abs(number(headers['retry-after']) - waitSeconds)).toBeLessThanOrEqual(5)
      expect(headers['ratelimit']).toContain(`;t=${headers['retry-after']}`)
    }
  }
}

describe('visitor address', () => {
  const session = (server: TestApp, key: string, forwarded: string) =>
    server.http
      .post('/api/v1/sessions')
      .set({ 'x-api-key': key, origin, 'x-forwarded-for': forwarded })
  const passed = (responses: readonly { status: number }[]) =>
    responses.filter(({ status }) => status === 201).length

  it('ignores forwarding headers when no proxy is trusted', async () => {
    const { key, responses } = await whileShared(async () => {
      const fresh = await keyOf(direct, { limits: { visitorSessions: 10 } })
      const spoofed = (n: number) => session(direct, fresh, `1.2.3.${n}`)
      return { key: fresh, responses: await inWaves(100, spoofed) }
    })
    expect(passed(responses)).toBe(10)
    for (const name of ['x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip']) {
      const response = await direct.http
        .post('/api/v1/sessions')
        .set({ 'x-api-key': key, origin, [name]: 'for=9.9.9.9' })
      expectError(response, 429, 'RATE_LIMITED')
    }
  })

  it.each<[string, (n: number) => string]>([
    ['the address that the trusted proxy received', (n) => `6.6.6.${n}, 203.0.113.1`],
    [
      'the address that the first of two trusted proxies received',
      (n) => `6.6.6.${n}, 203.0.113.3, 10.0.0.${n}`,
    ],
    [
      'the address that the first of two trusted proxies received when they add ports',
      (n) =>
        `6.6.6.${n}:1, 203.0.113.5:${n + 1}, ${n % 2 ? '' : '[::ffff:'}10.0.0.9${n % 2 ? '' : ']'}:5001`,
    ],
    [
      'the /64 of an IPv6 address in every spelling',
      (n) => (n % 2 === 0 ? `2001:db8:1:2::${n + 1}` : `2001:0DB8:0001:0002:${n}::1`),
    ],
    ['a window that all visitors with an invalid address share', (n) => `}{x${n}`],
  ])('counts a visitor by %s', async (_, forwarded) => {
    const [responses, another] = await whileShared(async () => {
      const key = await keyOf(first, { limits: { visitorSessions: 10, sessions: 1_000 } })
      const all = await inWaves(50, (n) => session(replica(n), key, forwarded(n)))
      return [all, await session(first, key, '2001:db8:1:3::1')]
    })
    expect(passed(responses)).toBe(10)
    expect(another.status).toBe(201)
  })

  it('stores neither addresses nor API keys in Redis', async () => {
    const forwarded = '203.0.113.99'
    const key = await keyOf(first)
    await whileShared(async () => {
      await session(first, key, forwarded)
      await first.http.get('/api/v1/asset-groups').set('x-forwarded-for', forwarded)
    })
    const redis = new Redis(first.deps.config.redisUrl ?? '')
    onTestFinished(() => redis.disconnect())
    const names = (await redis.keys('*')).join('\n')
    expect(names).toMatch(/:visitor-sessions-[\w-]{43}$/m)
    expect(names).toMatch(/\{[\w-]{43}\}:unauthenticated$/m)
    expect(names).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/)
    expect(names).not.toContain(key.slice('pk_live_'.length))
  })
})

describe('guessed keys', () => {
  it('rejects a key with a wrong checksum without a database query', async () => {
    const key = await keyOf(first)
    const lookUp = vi.spyOn(first.deps.database.reads.pool, 'query')
    onTestFinished(() => lookUp.mockRestore())
    const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    for (const guess of [wrong, `pk_live_${'a'.repeat(38)}`, 'pk_live_', key.slice(0, -1)]) {
      expectError(await aServer(first, guess).get('/asset-groups'), 401, 'API_KEY_INVALID')
    }
    expect(lookUp).not.toHaveBeenCalled()
    expectError(await aServer(first, generateApiKey()).get('/asset-groups'), 401, 'API_KEY_INVALID')
    expect(lookUp).toHaveBeenCalledOnce()
  })
})
