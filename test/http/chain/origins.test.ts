import { beforeAll, describe, expect, it } from 'vitest'
import { allowedOrigins, allowList, rejectedOrigins } from '../../domain/originTable.ts'
import { useTestApp } from '../../helpers/app.ts'
import { sendRequest } from '../../helpers/rawHttp.ts'
import { expectData, expectError, expectLimitHeaders } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let key: string

beforeAll(async () => {
  const { database } = server.deps
  const tenant = await aTenant(database)
  key = (await aKey(database, tenant, { origins: allowList })).key
})

/** Uses a raw socket because HTTP clients refuse to send many of these headers. */
const call = (origin: string | undefined, by: string, method = 'GET', path = '/asset-groups') =>
  sendRequest(server, {
    method,
    path: `/api/v1${path}`,
    headers: [
      ['X-Api-Key', by],
      ...(origin === undefined ? [] : [['Origin', origin] as const]),
      ...(method === 'OPTIONS' ? [['Access-Control-Request-Method', 'POST'] as const] : []),
    ],
  })

const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1')

describe('origins over HTTP', () => {
  it.each(allowedOrigins)(
    'accepts the listed origin %s and exposes the response to its script',
    async (origin) => {
      const response = await call(origin, key)
      expectData(response, 200)
      expect(response.headers['access-control-allow-origin']).toBe(origin)
      expect(response.headers['vary']).toContain('Origin')
      const exposed = response.headers['access-control-expose-headers']
      for (const name of ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${part}`)) {
        expect(exposed).toContain(name)
      }
      expect(exposed).toContain('Retry-After')
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  it.each(rejectedOrigins)(
    'rejects the origin "%s" with 403 ORIGIN_NOT_ALLOWED',
    async (origin) => {
      const response = await call(utf8AsLatin1(origin), key)
      expectError(response, 403, 'ORIGIN_NOT_ALLOWED')
      expect(response.headers['vary']).toContain('Origin')
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      // Any well-formed origin may read the error that rejects it.
      const reflected = response.headers['access-control-allow-origin']
      if (reflected !== undefined) expect(reflected).toBe(utf8AsLatin1(origin))
      expect(reflected).not.toBe('*')
    },
  )
})

describe('an Origin after thousands of headers', () => {
  it.each([
    ['rejects a foreign', 'https://evil.example', 403],
    ['accepts a listed', allowedOrigins[0] ?? '', 200],
  ])('%s Origin', async (_, origin, status) => {
    const others = Array.from({ length: 2_001 }, (_, n) => [`x${n}`, ''] as const)
    const headers = [['X-Api-Key', key], ...others, ['Origin', origin]] as const
    const request = { method: 'GET', path: '/api/v1/asset-groups', headers }
    expect((await sendRequest(server, request)).status).toBe(status)
  })
})

describe('preflight', () => {
  it.each([...allowedOrigins, ...rejectedOrigins])(
    'returns 204 to a preflight from "%s"',
    async (origin) => {
      const response = await call(utf8AsLatin1(origin), '', 'OPTIONS', '/bookings')
      expect([response.status, response.text]).toEqual([204, ''])
      expectLimitHeaders(response)
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      expect(response.headers['access-control-allow-origin']).not.toBe('*')
    },
  )

  it('lets a page with the origin null read why its request is rejected', async () => {
    const preflight = await call('null', '', 'OPTIONS', '/bookings')
    const rejected = await call('null', key)
    expectError(rejected, 403, 'ORIGIN_NOT_ALLOWED')
    for (const { headers } of [preflight, rejected])
      expect(headers['access-control-allow-origin']).toBe('null')
  })
})

const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, ' +
  'Retry-After, Location, ETag, X-Request-Id, Idempotent-Replayed, Date'
const namesIn = (list: string | undefined) => (list ?? '').toLowerCase().split(/ *, */).sort()

describe('CORS headers', () => {
  it('exposes exactly the documented headers', async () => {
    const [origin = ''] = allowedOrigins
    const preflight = await call(origin, '', 'OPTIONS', '/bookings')
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
      const response = await call(origin, by)
      expect(response.status).toBe(status)
      expect(namesIn(response.headers['access-control-expose-headers'])).toEqual(namesIn(exposed))
    }
  })
})

describe('errors read by scripts', () => {
  it.each([
    ['a malformed path', '/asset-groups/%zz/rates', 400],
    ['an unknown path', '/nowhere', 404],
    ['a missing key', '/asset-groups', 401],
  ])('exposes the error to any origin for %s', async (_, path, status) => {
    const origin = 'https://anywhere.example'
    const response = await call(origin, '', 'GET', path)
    expect(response.status).toBe(status)
    expect(response.headers['access-control-allow-origin']).toBe(origin)
    expect(response.headers['access-control-expose-headers']).toContain('X-Request-Id')
    expect(response.headers['vary']).toContain('Origin')
    expect(response.headers['cache-control']).toBe('no-store')
  })
})
