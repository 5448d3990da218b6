import { beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { aKey, aTenant } from '../helpers/seed.ts'

const server = useTestApp({ LIMIT_UNAUTHENTICATED_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' })
let key: string

beforeAll(async () => {
  const { database } = server.deps
  key = (await aKey(database, await aTenant(database))).key
})

const from = (address: string, path: string) =>
  server.http.get(`/api/v1${path}`).set('x-forwarded-for', address)

describe('callers without a good key', () => {
  it('share a window by address, which never touches callers with a good one', async () => {
    const address = '192.0.2.1'
    expectError(await from(address, '/asset-groups'), 401, 'API_KEY_REQUIRED')
    expectError(await from(address, '/nowhere'), 404, 'NOT_FOUND')
    const last = await from(address, '/asset-groups').set('x-api-key', 'pk_live_guess')
    expectError(last, 401, 'API_KEY_INVALID')
    expect(last.headers['x-ratelimit-limit']).toBe('3')
    expect(last.headers['x-ratelimit-remaining']).toBe('0')

    const refused = await from(address, '/asset-groups')
    expectError(refused, 429, 'RATE_LIMITED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expectError(await from(address, '/nowhere'), 429, 'RATE_LIMITED')
    expect((await from(address, '/asset-groups').set('x-api-key', key)).status).toBe(200)
    expectError(await from('192.0.2.2', '/asset-groups'), 401, 'API_KEY_REQUIRED')
  })

  it('are one visitor within a /64 of IPv6', async () => {
    for (const host of ['1', '2:3', 'ffff:0:1']) {
      expectError(await from(`2001:db8:1:2::${host}`, '/asset-groups'), 401, 'API_KEY_REQUIRED')
    }
    expectError(await from('2001:db8:1:2::9', '/asset-groups'), 429, 'RATE_LIMITED')
    expectError(await from('2001:db8:1:3::9', '/asset-groups'), 401, 'API_KEY_REQUIRED')
  })
})
