import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../../src/auth/keyFormat.ts'
import {
  changeApiKey,
  isKnownSecret,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../src/services/manageKeys.ts'
import { useApiKeys } from './useApiKeys.ts'

const hourMs = 3_600_000
const weekSeconds = 7 * 86_400

const test = useApiKeys()
const { create, problemOf } = test

describe('createApiKey', () => {
  it('creates a valid key and stores only its hash', async () => {
    const expiresAt = new Date(Date.now() + hourMs)
    const origins = ['HTTPS://Shop.Example:443', 'https://shop.example']
    const created = await create({ origins, expiresAt })
    expect(created.key).toMatch(/^pk_live_\w{38}$/)
    expect(created).toMatchObject({
      prefix: created.key.slice(0, 12),
      last4: created.key.slice(-4),
      origins: ['https://shop.example'],
      limits: {},
      expiresAt,
    })
    expect(created.scopes).toHaveLength(5)
    expect(await problemOf(created.key)).toBeUndefined()
    expect(await problemOf(created.key, 2 * hourMs)).toBe('API_KEY_EXPIRED')
    const { rows } = await test.database.pool.query(
      'select concat(k, s) as row from api_keys k join api_key_secrets s on s.api_key_id = k.id',
    )
    expect(JSON.stringify(rows)).not.toContain(created.key.slice(12))
  })

  it('stores its limits and each requested scope once', async () => {
    const scopes = ['rates:read', 'availability:read', 'rates:read']
    const created = await create({ scopes, limits: { reads: 1, visitorBookings: 1_000_000_000 } })
    expect(created.scopes).toEqual(['availability:read', 'rates:read'])
    expect(created.limits).toEqual({ reads: 1, visitorBookings: 1_000_000_000 })
  })

  it.each([
    ['an unknown tenant', { tenant: 'nobody' }, 'There is no tenant "nobody"'],
    ['an unknown scope', { scopes: ['rates:write'] }, 'Unknown scope "rates:write"'],
    [
      'no scope',
      { scopes: [] },
      'Unknown scope "". Scopes: all, availability:read, rates:read, quotes:create, bookings:create, bookings:read.',
    ],
    [
      'an origin with a path',
      { origins: ['https://a.example/shop'] },
      'Invalid origin "https://a.example/shop". Use a form such as https://shop.example, https://*.shop.example or, for an app, capacitor://localhost.',
    ],
    ['a wildcard on a top domain', { origins: ['https://*.com'] }, 'Invalid origin'],
    ...['co.uk', 'github.io', 'com.au', 'xn--55qx5d.cn', 'CO.UK:8443', '192.0.2.1', '0x7f.1'].map(
      (domain): [string, object, string] => [
        `a wildcard on ${domain}`,
        { origins: [`https://*.${domain}`] },
        `a wildcard needs a domain of your own, not ${domain.toLowerCase().replace('0x7f.1', '127.0.0.1')}.`,
      ],
    ),
    ['a wildcard without TLS', { origins: ['http://*.shop.example'] }, 'Invalid origin'],
    [
      'an unknown limit',
      { limits: { writes: 5 } },
      'Unknown limit "writes". Limits: reads, quotes, sessions, bookings, bookingsPerDay, ',
    ],
    [
      'a limit of 0',
      { limits: { reads: 0 } },
      'The limit reads must be a whole number from 1 to 1000000000.',
    ],
    ['a limit that is too large', { limits: { reads: 1_000_000_001 } }, 'must be a whole number'],
    ['a long name', { name: 'x'.repeat(101) }, 'at most 100 characters'],
    ['an expiry in the past', { expiresAt: new Date(0) }, 'must be in the future'],
    ['no name', { name: ' ' }, 'The name must have at least one visible character'],
    ['a name of two lines', { name: 'a\nb' }, 'one line'],
    ['a control character in its name', { name: 'a\u0007b' }, 'U+0007'],
  ])('rejects a key with %s', async (_, more, message) => {
    await expect(create(more)).rejects.toThrow(message)
  })
})

describe('listApiKeys', () => {
  it('returns neither keys nor hashes', async () => {
    const { id, prefix, last4 } = await create({ name: 'listed' })
    const listed = (await listApiKeys(test.database, 'fjord-cars')).find((key) => key.id === id)
    expect(listed).toMatchObject({ name: 'listed', revokedAt: null })
    expect(listed?.secrets).toEqual([
      { prefix, last4, endsAt: null, lastUsedAt: null, createdAt: expect.any(Date) },
    ])
    await expect(listApiKeys(test.database, 'nobody')).rejects.toThrow('There is no tenant')
  })
})

describe('revokeApiKey', () => {
  it('rejects a revoked key with API_KEY_REVOKED, and changes nothing when the key is revoked again', async () => {
    const { id, key } = await create()
    const { revokedAt } = await revokeApiKey(test.database, id)
    expect(await problemOf(key)).toBe('API_KEY_REVOKED')
    expect((await revokeApiKey(test.database, id)).revokedAt).toEqual(revokedAt)
    expect(await isKnownSecret(test.database, key)).toBe(true)
    expect(await isKnownSecret(test.database, generateApiKey())).toBe(false)
  })

  it('rejects an unknown key', async () => {
    await expect(revokeApiKey(test.database, randomUUID())).rejects.toThrow('There is no API key')
  })
})

describe('rotateApiKey', () => {
  const rotate = (id: string, overlapSeconds: number) =>
    rotateApiKey(test.database, id, overlapSeconds, new Date())

  it('keeps the settings and accepts both secrets until the overlap ends', async () => {
    const settings = {
      scopes: ['rates:read'],
      origins: ['https://a.example'],
      limits: { reads: 9 },
    }
    const old = await create(settings)
    const rotated = await rotate(old.id, weekSeconds)
    expect(rotated).toMatchObject({ id: old.id, ...settings })
    expect(rotated.key).not.toBe(old.key)
    expect(rotated.replaced).toMatchObject([{ prefix: old.prefix, last4: old.last4 }])
    for (const key of [old.key, rotated.key]) expect(await problemOf(key)).toBeUndefined()
    const afterOverlapMs = weekSeconds * 1_000 + hourMs
    expect(await problemOf(old.key, afterOverlapMs)).toBe('API_KEY_EXPIRED')
    expect(await problemOf(rotated.key, afterOverlapMs)).toBeUndefined()
  })

  it('ends the old secret at once without an overlap, and never extends an ended secret', async () => {
    const first = await create()
    const second = await rotate(first.id, 0)
    expect(await problemOf(first.key)).toBe('API_KEY_EXPIRED')
    const third = await rotate(first.id, weekSeconds)
    expect(third.replaced.map(({ last4 }) => last4)).toEqual([second.last4])
    expect(await problemOf(first.key)).toBe('API_KEY_EXPIRED')
    const fourth = await rotate(first.id, 2 * weekSeconds)
    expect(fourth.replaced.map(({ last4 }) => last4)).toEqual([third.last4])
    expect(await problemOf(second.key, weekSeconds * 1_000 + hourMs)).toBe('API_KEY_EXPIRED')
  })

  it('ends every earlier secret at once without an overlap, including secrets in an earlier overlap', async () => {
    const expiresAt = new Date(Date.now() + 3 * weekSeconds * 1_000)
    const first = await create({ expiresAt })
    const second = await rotate(first.id, weekSeconds)
    const third = await rotate(first.id, 0)
    const replaced = third.replaced.map(({ last4 }) => last4)
    expect(replaced.toSorted()).toEqual([first.last4, second.last4].toSorted())
    for (const { key } of [first, second]) expect(await problemOf(key)).toBe('API_KEY_EXPIRED')
    expect(await problemOf(third.key)).toBeUndefined()
  })

  it('rejects a revoked or expired key; revocation covers every secret', async () => {
    const { id, key } = await create()
    const { key: second } = await rotate(id, weekSeconds)
    await revokeApiKey(test.database, id)
    for (const secret of [key, second]) expect(await problemOf(secret)).toBe('API_KEY_REVOKED')
    await expect(rotate(id, 0)).rejects.toThrow('revoked or expired')
    await expect(changeApiKey(test.database, id, { name: 'x' }, new Date())).rejects.toThrow(
      'revoked or expired',
    )
    const ended = await create({ expiresAt: new Date(Date.now() + hourMs) })
    const later = new Date(Date.now() + 2 * hourMs)
    await expect(rotateApiKey(test.database, ended.id, 0, later)).rejects.toThrow(
      'This key is revoked or expired. Create a new one with `rental keys create`.',
    )
  })
})
