import { beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectError } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp({
  LIMIT_UNAUTHENTICATED_PER_MINUTE: '3',
  TRUST_PROXY: '127.0.0.1',
  DATABASE_POOL_MAX: '1',
})
let key: string

beforeAll(async () => {
  const { database } = server.deps
  key = (await aKey(database, await aTenant(database))).key
})

const from = (address: string, path: string) =>
  server.http.get(`/api/v1${path}`).set('x-forwarded-for', address)

describe('requests without a valid key', () => {
  it('limits requests without a valid key by address and still accepts valid keys', async () => {
    const address = '192.0.2.1'
    expectError(await from(address, '/asset-groups'), 401, 'API_KEY_REQUIRED')
    expectError(await from(address, '/nowhere'), 404, 'NOT_FOUND')
    const last = await from(address, '/asset-groups').set('x-api-key', 'pk_live_guess')
    expectError(last, 401, 'API_KEY_INVALID')
    expect(last.headers['x-ratelimit-limit']).toBe('3')
    expect(last.headers['x-ratelimit-remaining']).toBe('0')

    const rejected = await from(address, '/asset-groups')
    expectError(rejected, 429, 'RATE_LIMITED')
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    expectError(await from(address, '/nowhere'), 429, 'RATE_LIMITED')
    const otherMethod = server.http.delete('/api/v1/quotes').set('x-forwarded-for', address)
    expectError(await otherMethod, 429, 'RATE_LIMITED')
    expect((await from(address, '/asset-groups').set('x-api-key', key)).status).toBe(200)
    expectError(await from('192.0.2.2', '/asset-groups'), 401, 'API_KEY_REQUIRED')
  })

  it.each(['revokedAt', 'expiresAt'])(
    'reports the window of the address for a key whose %s is past',
    async (end) => {
      const { database } = server.deps
      const over = await aKey(database, await aTenant(database), { [end]: new Date('2020-01-01') })
      const response = await from('192.0.2.3', '/asset-groups').set('x-api-key', over.key)
      expect(response.status).toBe(401)
      expect(response.headers['x-ratelimit-limit']).toBe('3')
    },
  )

  it('limits requests to a malformed path by address', async () => {
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await server.http.get('/%zz')).status)
    expect(statuses).toEqual([400, 400, 400, 429])
  })
})

describe('requests rejected with 403', () => {
  const reads = 5
  const foreign = { origin: 'https://evil.example' }

  it.each<
    [
      ErrorCode,
      { tenant?: Parameters<typeof aTenant>[1]; key?: Parameters<typeof aKey>[2] },
      addresses: [string, string],
    ]
  >([
    ['TENANT_SUSPENDED', { tenant: { status: 'suspended' } }, ['192.0.2.11', '192.0.2.12']],
    ['MODULE_NOT_ENABLED', { tenant: { onlineBooking: false } }, ['192.0.2.21', '192.0.2.22']],
    ['ORIGIN_NOT_ALLOWED', {}, ['192.0.2.31', '192.0.2.32']],
    ['SCOPE_NOT_GRANTED', { key: { scopes: ['bookings:read'] } }, ['192.0.2.41', '192.0.2.42']],
  ])(
    'counts a request against its address after 403 %s',
    async (code, values, [address, another]) => {
      const { database } = server.deps
      const tenantId = await aTenant(database, values.tenant)
      const rejected = await aKey(database, tenantId, { ...values.key, limits: { reads } })
      const headers = code === 'ORIGIN_NOT_ALLOWED' ? foreign : {}
      const send = (caller: string) =>
        from(caller, '/asset-groups').set({ 'x-api-key': rejected.key, ...headers })
      for (let n = 0; n < 3; n++) {
        const response = await send(address)
        expectError(response, 403, code)
        // The headers report the window of the key, which the request does not use.
        expect(response.headers['x-ratelimit-limit']).toBe(String(reads))
        expect(response.headers['x-ratelimit-remaining']).toBe(String(reads))
      }
      const hammering = await send(address)
      expectError(hammering, 429, 'RATE_LIMITED')
      expect(hammering.headers['x-ratelimit-limit']).toBe('3')
      expect(hammering.headers['x-ratelimit-remaining']).toBe('0')
      expect(Number(hammering.headers['retry-after'])).toBeGreaterThan(0)
      // Valid keys from the same address, and the same key elsewhere, are not limited.
      expect((await from(address, '/asset-groups').set('x-api-key', key)).status).toBe(200)
      expectError(await send(another), 403, code)
    },
  )
})

describe('requests whose key cannot be looked up', () => {
  it('returns 503, counts no request and reports the window of the address', async () => {
    const address = '192.0.2.202'
    const { pool } = server.deps.database
    await pool.query('alter table api_key_secrets rename to elsewhere')
    const unknown = Array.from({ length: 6 }, () =>
      from(address, '/asset-groups').set('x-api-key', generateApiKey()),
    )
    const responses = await Promise.all(unknown)
    await pool.query('alter table elsewhere rename to api_key_secrets')
    for (const response of responses) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE')
      expect(response.headers['x-ratelimit-limit']).toBe('3')
      expect(response.headers['x-ratelimit-remaining']).toBe('3')
    }
    const counted = await from(address, '/asset-groups')
    expectError(counted, 401, 'API_KEY_REQUIRED')
    expect(counted.headers['x-ratelimit-remaining']).toBe('2')
  })
})
