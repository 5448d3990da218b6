import { beforeAll, describe, expect, it } from 'vitest'
import { allowedOrigins, allowList, refusedOrigins } from '../../domain/originTable.ts'
import { useTestApp } from '../../helpers/app.ts'
import { ask } from '../../helpers/rawHttp.ts'
import { expectData, expectError, expectLimitHeaders } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let key: string
let serversOnly: string

beforeAll(async () => {
  const { database } = server.deps
  const tenant = await aTenant(database)
  key = (await aKey(database, tenant, { origins: allowList })).key
  serversOnly = (await aKey(database, tenant)).key
})

/** Over a raw socket: clients would not send half of these. */
const call = (origin: string | undefined, by: string, method = 'GET', path = '/asset-groups') =>
  ask(server, {
    method,
    path: `/api/v1${path}`,
    headers: [
      ['X-Api-Key', by],
      ...(origin === undefined ? [] : [['Origin', origin] as const]),
      ...(method === 'OPTIONS' ? [['Access-Control-Request-Method', 'POST'] as const] : []),
    ],
  })

const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1')

describe('over HTTP', () => {
  it.each(allowedOrigins)('%s may call, and its script may read the answer', async (origin) => {
    const answer = await call(origin, key)
    expectData(answer, 200)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(answer.headers['vary']).toContain('Origin')
    const exposed = answer.headers['access-control-expose-headers']
    for (const name of ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${part}`)) {
      expect(exposed).toContain(name)
    }
    expect(exposed).toContain('Retry-After')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each(refusedOrigins)('"%s" may not', async (origin) => {
    const answer = await call(utf8AsLatin1(origin), key)
    expectError(answer, 403, 'ORIGIN_NOT_ALLOWED')
    expect(answer.headers['vary']).toContain('Origin')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    // Reading is no permission: whatever looks like an origin may read why it was refused.
    const reflected = answer.headers['access-control-allow-origin']
    if (reflected !== undefined) expect(reflected).toBe(utf8AsLatin1(origin))
    expect(reflected).not.toBe('null')
    expect(reflected).not.toBe('*')
  })

  it.each(allowedOrigins)('a key for servers only is refused to %s', async (origin) => {
    expectError(await call(origin, serversOnly), 403, 'ORIGIN_NOT_ALLOWED')
    expectData(await call(undefined, serversOnly), 200)
  })
})

describe('a preflight', () => {
  it.each([...allowedOrigins, ...refusedOrigins])('from "%s" is 204', async (origin) => {
    const answer = await call(utf8AsLatin1(origin), '', 'OPTIONS', '/bookings')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectLimitHeaders(answer)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(['null', '*']).not.toContain(answer.headers['access-control-allow-origin'])
  })
})

/** The names of decision 21, and the draft's two headers of decision 44. */
const allowed =
  'Authorization, X-Api-Key, X-Session-Token, Idempotency-Key, Content-Type, If-None-Match'
const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, ' +
  'Retry-After, Location, ETag, X-Request-Id, Idempotent-Replayed, Date'
const namesIn = (list: string | undefined) => (list ?? '').toLowerCase().split(/ *, */).sort()

describe('a page of any origin', () => {
  it('may send and read exactly the headers of the contract', async () => {
    const [origin = ''] = allowedOrigins
    const preflight = await call(origin, '', 'OPTIONS', '/bookings')
    expect(namesIn(preflight.headers['access-control-allow-headers'])).toEqual(namesIn(allowed))
    expect(namesIn(preflight.headers['access-control-allow-methods'])).toEqual([
      'get',
      'head',
      'post',
    ])
    expect(Number(preflight.headers['access-control-max-age'])).toBeGreaterThanOrEqual(600)
    for (const [by, status] of [
      [key, 200],
      ['', 401],
    ] as const) {
      const answer = await call(origin, by)
      expect(answer.status).toBe(status)
      expect(namesIn(answer.headers['access-control-expose-headers'])).toEqual(namesIn(exposed))
    }
  })
})

describe('a script can read', () => {
  it.each([
    ['a path that is no path', '/asset-groups/%zz/rates', 400],
    ['nowhere', '/nowhere', 404],
    ['no key', '/asset-groups', 401],
  ])('why it was refused: %s', async (_, path, status) => {
    const origin = 'https://anywhere.example'
    const answer = await call(origin, '', 'GET', path)
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id')
    expect(answer.headers['vary']).toContain('Origin')
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})
