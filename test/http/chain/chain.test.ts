import { randomUUID } from 'node:crypto'
import { fastify } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { type Scope, scopes } from '../../../src/domain/accountRules.ts'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { LimitName } from '../../../src/domain/limits.ts'
import { registerApi } from '../../../src/http/routes/index.ts'
import { requestSlots } from '../../../src/http/server/requestSlots.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { useTestApp } from '../../helpers/app.ts'
import { type Operation, operations } from '../../helpers/operations.ts'
import { expectError } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop.example'
/** Statuses of an operation that passed the chain, without data and with empty bodies. */
const itsOwn = [200, 201, 400, 404]
const past = new Date(Date.now() - 60_000)
let tenantId: string
let good: string

beforeAll(async () => {
  tenantId = await aTenant(server.deps.database)
  good = (await aKey(server.deps.database, tenantId, { origins: [origin] })).key
})

function call({ method, path, body }: Operation, headers: Record<string, string> = {}) {
  const request = server.http[method](`/api/v1${path}`).set({
    'idempotency-key': randomUUID(),
    ...headers,
  })
  return body === undefined ? request : request.send(body)
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const keyWith = async (values: Parameters<typeof aKey>[2]) =>
  (await aKey(server.deps.database, tenantId, values)).key
const keyOfTenant = async (values: Parameters<typeof aTenant>[1]) =>
  (await aKey(server.deps.database, await aTenant(server.deps.database, values))).key

describe.each(operations)('$name', (operation) => {
  it('rejects a request without a key with 401 API_KEY_REQUIRED', async () => {
    const response = await call(operation)
    expectError(response, 401, 'API_KEY_REQUIRED')
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  it('rejects unknown, revoked and expired keys with 401', async () => {
    expectError(await call(operation, bearer(generateApiKey())), 401, 'API_KEY_INVALID')
    const revoked = await keyWith({ revokedAt: past })
    expectError(await call(operation, bearer(revoked)), 401, 'API_KEY_REVOKED')
    const expired = await keyWith({ expiresAt: past })
    expectError(await call(operation, bearer(expired)), 401, 'API_KEY_EXPIRED')
  })

  it.each<[ErrorCode, Parameters<typeof aTenant>[1]]>([
    ['TENANT_SUSPENDED', { status: 'suspended' }],
    ['SUBSCRIPTION_CANCELLED', { subscription: 'cancelled' }],
    ['SUBSCRIPTION_PAST_DUE', { subscription: 'past_due' }],
    ['MODULE_NOT_ENABLED', { onlineBooking: false }],
  ])('rejects a key of a blocked account with 403 %s', async (code, tenant) => {
    expectError(await call(operation, bearer(await keyOfTenant(tenant))), 403, code)
  })

  it('rejects an unlisted origin with 403 ORIGIN_NOT_ALLOWED and CORS headers', async () => {
    const headers = { ...bearer(good), origin: 'https://evil.example' }
    const response = await call(operation, headers)
    expectError(response, 403, 'ORIGIN_NOT_ALLOWED')
    expect(response.headers['access-control-allow-origin']).toBe('https://evil.example')
    expect(response.headers['access-control-expose-headers']).toContain('X-RateLimit-Limit')
    expect(response.headers['vary']).toContain('Origin')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('rejects a POST without Origin with a browser-only key with 403 ORIGIN_NOT_ALLOWED', async () => {
    const key = bearer(await keyWith({ origins: [origin], browserOnly: true }))
    const response = await call(operation, key)
    if (operation.method === 'post') {
      expectError(response, 403, 'ORIGIN_NOT_ALLOWED')
      expect(response.body.error.message).toContain('for websites only')
      const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left } = response.headers
      expect(left).toBe(limit)
    } else expect(itsOwn).toContain(response.status)
    const fromPage = await call(operation, { ...key, origin })
    expect(fromPage.body.error?.code).not.toBe('ORIGIN_NOT_ALLOWED')
  })

  it.each(scopes.map((scope) => [scope]))(
    'accepts a key with only the scope %s if the operation requires that scope or none',
    async (scope: Scope) => {
      const response = await call(operation, bearer(await keyWith({ scopes: [scope] })))
      if (operation.scope === null || operation.scope === scope) {
        expect(itsOwn).toContain(response.status)
      } else {
        expectError(response, 403, 'SCOPE_NOT_GRANTED')
      }
    },
  )

  it('requires a session from browsers for writes only', async () => {
    const headers = { ...bearer(good), origin }
    const response = await call(operation, headers)
    if (operation.write) expectError(response, 401, 'SESSION_REQUIRED')
    else expect(itsOwn).toContain(response.status)
    const forged = await call(operation, { ...headers, 'x-session-token': 'a.b.c' })
    if (operation.write) expectError(forged, 401, 'SESSION_INVALID')
    else expect(forged.status).not.toBe(401)
  })

  it('rejects other methods on the path with 405 and Allow', async () => {
    const path = `/api/v1${operation.path.split('?')[0]}`
    const others = (['get', 'post', 'put', 'patch', 'delete'] as const).filter(
      (method) => method !== operation.method,
    )
    for (const method of others) {
      const response = await server.http[method](path)
      expectError(response, 405, 'METHOD_NOT_ALLOWED')
      expect(response.headers['allow']).toBe(operation.method === 'get' ? 'HEAD, GET' : 'POST')
    }
  })
})

describe('API key headers', () => {
  const [operation] = operations as [Operation]

  it.each<[string, () => Record<string, string>, number]>([
    ['Bearer', () => bearer(good), 200],
    ['Bearer in mixed case', () => ({ authorization: `bEARER ${good}` }), 200],
    ['X-Api-Key', () => ({ 'x-api-key': good }), 200],
    ['the same key in both headers', () => ({ ...bearer(good), 'x-api-key': good }), 200],
    [
      'X-Api-Key with another scheme in Authorization',
      () => ({ authorization: 'Basic dTpw', 'x-api-key': good }),
      200,
    ],
    ['Bearer with an empty X-Api-Key', () => ({ ...bearer(good), 'x-api-key': '' }), 200],
  ])('accepts a key sent as %s', async (_, headers, status) => {
    expect((await call(operation, headers())).status).toBe(status)
  })

  it.each<[string, () => Record<string, string>, ErrorCode]>([
    [
      'two different keys',
      () => ({ ...bearer(good), 'x-api-key': generateApiKey() }),
      'API_KEY_INVALID',
    ],
    ['a key with another scheme', () => ({ authorization: `Basic ${good}` }), 'API_KEY_REQUIRED'],
    ['Bearer with two words', () => ({ authorization: `Bearer ${good} x` }), 'API_KEY_INVALID'],
    [
      'Bearer with two words and a valid X-Api-Key',
      () => ({ authorization: 'Bearer a b', 'x-api-key': good }),
      'API_KEY_INVALID',
    ],
    ['Bearer with a colon', () => ({ authorization: `Bearer: ${good}` }), 'API_KEY_INVALID'],
    ['Bearer without a key', () => ({ authorization: 'Bearer' }), 'API_KEY_REQUIRED'],
    ['an empty X-Api-Key', () => ({ 'x-api-key': '' }), 'API_KEY_REQUIRED'],
    ['a key with a wrong checksum', () => bearer(`${good.slice(0, -1)}~`), 'API_KEY_INVALID'],
    ['a key of 10 KB', () => bearer(`pk_live_${'a'.repeat(10_000)}`), 'API_KEY_INVALID'],
  ])('rejects %s with 401', async (_, headers, code) => {
    expectError(await call(operation, headers()), 401, code)
  })
})

describe('order of errors', () => {
  const createBooking = operations.find(({ name }) => name === 'createBooking') as Operation
  const wrong = {
    scopes: [],
    origins: [],
    limits: { bookings: 1 },
  }

  it('checks key, account, origin, scope, limit, session and body in this order', async () => {
    const { database } = server.deps
    const invalid = { ...createBooking, body: {} }
    const foreign = { origin: 'https://evil.example' }
    const suspended = await aTenant(database, { status: 'suspended' })

    const expired = await aKey(database, suspended, { ...wrong, expiresAt: past })
    const headers = { ...bearer(expired.key), ...foreign }
    expectError(await call(invalid, headers), 401, 'API_KEY_EXPIRED')

    const blocked = await aKey(database, suspended, wrong)
    const used = { ...bearer(blocked.key), ...foreign }
    expectError(await call(invalid, used), 403, 'TENANT_SUSPENDED')
    expectError(await call(invalid, used), 403, 'TENANT_SUSPENDED')

    const unscoped = await keyWith(wrong)
    expectError(await call(invalid, { ...bearer(unscoped), ...foreign }), 403, 'ORIGIN_NOT_ALLOWED')
    expectError(await call(invalid, bearer(unscoped)), 403, 'SCOPE_NOT_GRANTED')

    const limited = bearer(await keyWith({ origins: [origin], limits: { bookings: 1 } }))
    expectError(await call(invalid, { ...limited, origin }), 401, 'SESSION_REQUIRED')
    expectError(await call(invalid, { ...limited, origin }), 429, 'RATE_LIMITED')

    expectError(await call(invalid, { ...bearer(good), origin }), 401, 'SESSION_REQUIRED')
    expectError(await call(invalid, bearer(good)), 400, 'VALIDATION_ERROR')
  })
})

describe('limits of one key', () => {
  it.each<[string, LimitName, LimitName]>([
    ['listAssetGroups', 'reads', 'visitorReads'],
    ['createSession', 'sessions', 'visitorSessions'],
    ['createQuote', 'quotes', 'visitorQuotes'],
    ['createBooking', 'bookings', 'visitorBookings'],
  ])('limits each visitor of %s in a separate window', async (name, shared, own) => {
    const operation = operations.find((known) => known.name === name) as Operation
    const key = await keyWith({ origins: [origin], limits: { [shared]: 5, [own]: 2 } })
    const page = { ...bearer(key), origin }
    await call(operation, page)
    const second = await call(operation, page)
    expect(second.status).not.toBe(429)
    expect(second.headers['x-ratelimit-limit']).toBe('2')
    expect(second.headers['ratelimit-policy']).toMatch(/, "visitor";q=2;w=60(, "visitor-day";.*)?$/)
    const rejected = await call(operation, page)
    expectError(rejected, 429, 'RATE_LIMITED')
    expect(rejected.headers['x-ratelimit-limit']).toBe('2')
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60)
    // A request rejected by one window counts in none.
    expect(rejected.headers['ratelimit']).toMatch(new RegExp(`^"${shared}";r=3;.*"visitor";r=0;`))
    // Visitor windows do not apply to requests from servers.
    const partner = await call(operation, bearer(key))
    expect(partner.status).not.toBe(429)
    expect(partner.headers['ratelimit']).toMatch(new RegExp(`^"${shared}";r=2;`))
    expect(partner.headers['ratelimit']).not.toContain('visitor')
  })
})

describe('registerApi', () => {
  it('throws when a route under the prefix declares no operation', async () => {
    const app = fastify()
    await registerApi(app, server.deps, requestSlots({ ...server.deps, metrics: openMetrics() }))
    const open = (url: string) => app.get(url, () => ({}))
    expect(() => open('/api/v1/open')).toThrow('declares no operation')
    expect(() => open('/open')).not.toThrow()
    await app.close()
  })
})
