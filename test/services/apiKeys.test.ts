import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/auth/apiKeys.ts'
import { findKey } from '../../src/db/keys.ts'
import { keyRefusal } from '../../src/domain/access.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import {
  type ApiKeyRequest,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../src/services/apiKeys.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'

const hourMs = 3_600_000
const weekSeconds = 7 * 86_400

let test: OpenTestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
  await importFleet(test.database, parseFleetFile(smallFleet()))
})
afterAll(() => test.drop())

const basic = { tenant: 'fjord-cars', name: 'shop', scopes: ['all'] }

function create(more: Partial<ApiKeyRequest> = {}) {
  return createApiKey(test.database, { ...basic, ...more }, new Date())
}

/** Why a key would be refused so long from now. */
async function refusalOf(key: string, inMs = 0) {
  const found = await findKey(test.database, hashApiKey(key))
  return found && keyRefusal(found.key, new Date(Date.now() + inMs))
}

describe('a new key', () => {
  it('works, and is stored as a hash only', async () => {
    const expiresAt = new Date(Date.now() + hourMs)
    const created = await create({ origins: ['HTTPS://Shop.Example:443'], expiresAt })
    expect(created.key).toMatch(/^pk_live_\w{38}$/)
    expect(created).toMatchObject({
      prefix: created.key.slice(0, 12),
      last4: created.key.slice(-4),
      origins: ['https://shop.example'],
      limits: {},
      expiresAt,
    })
    expect(created.scopes).toHaveLength(5)
    expect(await refusalOf(created.key)).toBeUndefined()
    expect(await refusalOf(created.key, 2 * hourMs)).toBe('API_KEY_EXPIRED')
    const { rows } = await test.database.pool.query('select k::text as row from api_keys k')
    expect(JSON.stringify(rows)).not.toContain(created.key.slice(12))
  })

  it('has limits of its own and the scopes asked for, each once', async () => {
    const scopes = ['rates:read', 'availability:read', 'rates:read']
    const created = await create({ scopes, limits: { reads: 600, visitorBookings: 5 } })
    expect(created.scopes).toEqual(['availability:read', 'rates:read'])
    expect(created.limits).toEqual({ reads: 600, visitorBookings: 5 })
  })

  it.each([
    ['an unknown tenant', { tenant: 'nobody' }, 'There is no tenant "nobody"'],
    ['an unknown scope', { scopes: ['rates:write'] }, '"rates:write" is not a scope'],
    ['no scope', { scopes: [] }, 'is not a scope'],
    ['an origin with a path', { origins: ['https://a.example/shop'] }, 'is not an origin'],
    ['an unknown limit', { limits: { writes: 5 } }, '"writes" is not a limit'],
    ['a limit of nothing', { limits: { reads: 0 } }, 'must be a whole number from 1'],
    ['an end that has passed', { expiresAt: new Date(0) }, 'must lie in the future'],
    ['no name', { name: ' ' }, 'needs a name'],
    ['a name of two lines', { name: 'a\nb' }, 'one line'],
  ])('is refused for %s', async (_, more, message) => {
    await expect(create(more)).rejects.toThrow(message)
  })
})

describe('a list of keys', () => {
  it('shows neither keys nor hashes', async () => {
    const { id } = await create({ name: 'listed' })
    const listed = (await listApiKeys(test.database, 'fjord-cars')).find((key) => key.id === id)
    expect(listed).toMatchObject({ name: 'listed', revokedAt: null })
    expect(listed).not.toHaveProperty('keyHash')
    await expect(listApiKeys(test.database, 'nobody')).rejects.toThrow('There is no tenant')
  })
})

describe('a revoked key', () => {
  it('is refused from then on, and revoking it again changes nothing', async () => {
    const { id, key } = await create()
    const { revokedAt } = await revokeApiKey(test.database, id)
    expect(await refusalOf(key)).toBe('API_KEY_REVOKED')
    expect((await revokeApiKey(test.database, id)).revokedAt).toEqual(revokedAt)
  })

  it('must exist', async () => {
    await expect(revokeApiKey(test.database, randomUUID())).rejects.toThrow('There is no API key')
  })
})

describe('a rotated key', () => {
  it('works beside its successor until the overlap is over', async () => {
    const settings = {
      scopes: ['rates:read'],
      origins: ['https://a.example'],
      limits: { reads: 9 },
    }
    const old = await create(settings)
    const { created, replaced } = await rotateApiKey(test.database, old.id, weekSeconds, new Date())
    expect(created).toMatchObject(settings)
    expect(created.key).not.toBe(old.key)
    expect(replaced.id).toBe(old.id)
    for (const key of [old.key, created.key]) expect(await refusalOf(key)).toBeUndefined()
    const afterOverlapMs = weekSeconds * 1_000 + hourMs
    expect(await refusalOf(old.key, afterOverlapMs)).toBe('API_KEY_REVOKED')
    expect(await refusalOf(created.key, afterOverlapMs)).toBeUndefined()
  })

  it('can be ended before that, and not rotated once it has ended', async () => {
    const { id, key } = await create()
    await rotateApiKey(test.database, id, weekSeconds, new Date())
    await revokeApiKey(test.database, id)
    expect(await refusalOf(key)).toBe('API_KEY_REVOKED')
    await expect(rotateApiKey(test.database, id, 0, new Date(Date.now() + hourMs))).rejects.toThrow(
      'revoked or expired',
    )
  })
})
