import { expect } from 'vitest'
import { findKey, noteKeyUses } from '../../../src/db/keys.ts'
import { lockWaits } from '../../helpers/lockWaits.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { type Ground, oneValue, type Rule } from './ground.ts'

const early = '2038-01-01T00:00:00Z'
const late = '2038-02-01T00:00:00Z'

/** Gives a key one secret, the hash of which is `name` 32 bytes long; returns that hash. */
async function aSecret(on: Ground, name: string, keyId: string, endsAt: string | null) {
  const hash = Buffer.alloc(32, name)
  await on.database.pool.query(
    `insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4, ends_at)
     select tenant_id, id, $2, 'pk', '1234', $3 from api_key_identities where id = $1`,
    [keyId, hash, endsAt],
  )
  return hash
}

const revoke = (on: Ground, keyId: string, at: string | null) =>
  on.database.pool.query('update api_key_identities set revoked_at = $2 where id = $1', [keyId, at])

const ends = [
  { key: null, secret: early, expected: early },
  { key: early, secret: null, expected: early },
  { key: early, secret: late, expected: early },
  { key: late, secret: early, expected: early },
  { key: null, secret: null, expected: null },
]

const instantOf = (text: string | null) => (text === null ? null : new Date(text))

/** As release 0.1 makes a key; returns its id. */
const createByOld = (on: Ground, hash: Buffer) =>
  oneValue<string>(
    on,
    `insert into api_keys (tenant_id, name, key_hash, prefix, last4, scopes, origins, limits)
     values ($1, 'old', $2, 'pk', '1234', '{rates:read}', '{https://a.example}', '{"reads": 9}')
     returning id as value`,
    on.tenantId,
    hash,
  )

/** Keys and their secrets (26), to this release and, through the view, to the one before. */
export const keyRules = {
  async 'replicas that note uses of the same secrets lock them in one order, whatever the plan'(
    on,
  ) {
    const { pool } = on.database
    // A plan that meets the secrets as they are stored and noted: in the other order.
    pool.options.options +=
      ' -c enable_nestloop=off -c enable_mergejoin=off -c enable_indexscan=off -c enable_bitmapscan=off'
    for (const name of 'fedcba') await aSecret(on, name, on.keyId, null)
    // Room of deleted rows is used again: which two are stored in the other order, only it can tell.
    const crossed = await pool.query<{ last: Buffer; first: Buffer }>(
      `select l.key_hash as last, f.key_hash as first from api_key_secrets l, api_key_secrets f
       where l.api_key_id = $1 and f.api_key_id = $1 and l.ctid < f.ctid and l.key_hash > f.key_hash
       limit 1`,
      [on.keyId],
    )
    const hashes = crossed.rows.flatMap(({ last, first }) => [last, first])
    const [last, first] = hashes
    const usedAt = new Date(early)
    const use = { tenantId: on.tenantId, apiKeyId: on.keyId, usedAtMs: usedAt.getTime() }
    const lock = 'select last_used_at from api_key_secrets where key_hash = $1 for update'
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query(lock, [first])
      const noted = noteKeyUses(
        on.database,
        hashes.map((keyHash) => ({ ...use, keyHash })),
      )
      await lockWaits(pool)
      expect((await other.query(`${lock} skip locked`, [last])).rows).toHaveLength(1)
      await other.query('commit')
      await noted
    } finally {
      other.release(true)
    }
    const used = 'select count(*)::int as value from api_key_secrets where last_used_at = $1'
    expect(await oneValue(on, used, usedAt)).toBe(2)
  },

  async 'a key is found by each of its secrets, with its own tenant'(on) {
    const otherTenant = await aTenant(on.database, { status: 'suspended' })
    const other = await aKey(on.database, otherTenant, { scopes: ['rates:read'] })
    const theirs = await aSecret(on, 'theirs', other.id, null)
    for (const id of [on.keyId, on.strangerId]) {
      const found = await findKey(on.database, await aSecret(on, id, id, null))
      expect([found?.key.id, found?.tenant.id]).toEqual([id, on.tenantId])
    }
    expect(await findKey(on.database, theirs)).toMatchObject({
      key: { id: other.id, scopes: ['rates:read'], origins: [], limits: {} },
      tenant: { id: otherTenant, status: 'suspended', subscription: 'active', onlineBooking: true },
    })
    expect(await findKey(on.database, Buffer.alloc(32, 'nobody'))).toBeUndefined()
  },

  async 'a secret ends with itself or with its key, whichever is earlier'(on) {
    const { id } = await aKey(on.database, on.tenantId)
    for (const [index, { key, secret, expected }] of ends.entries()) {
      const expire = 'update api_key_identities set expires_at = $1 where id = $2'
      await on.database.pool.query(expire, [instantOf(key), id])
      const found = await findKey(on.database, await aSecret(on, `secret ${index}`, id, secret))
      expect(found?.key.expiresAt).toEqual(instantOf(expected))
    }
  },

  async 'the release before sees the same end of a secret'(on) {
    const { id } = await aKey(on.database, on.tenantId)
    for (const [index, { key, secret, expected }] of ends.entries()) {
      await revoke(on, id, key)
      const hash = await aSecret(on, `secret ${index}`, id, secret)
      const seen = 'select revoked_at as value from api_keys where key_hash = $1'
      expect(await oneValue(on, seen, hash)).toEqual(instantOf(expected))
    }
  },

  async 'a key that the release before makes is one of this release'(on) {
    const hash = Buffer.alloc(32, 'made by old')
    const id = await createByOld(on, hash)
    expect((await findKey(on.database, hash))?.key).toMatchObject({
      ...{ id, scopes: ['rates:read'], origins: ['https://a.example'], limits: { reads: 9 } },
      ...{ expiresAt: null, revokedAt: null },
    })
  },

  async 'what the release before changes of a key is changed, and the end of a secret is not for the key'(
    on,
  ) {
    const hash = Buffer.alloc(32, 'made by old')
    const id = await createByOld(on, hash)
    await on.database.pool.query('update api_key_secrets set ends_at = $1', [late])
    const change = `update api_keys set name = 'new', scopes = '{quotes:create}', origins = '{}',
      limits = '{"reads": 1}', expires_at = '${late}' where id = '${id}'`
    await on.database.pool.query(change)
    const { rows } = await on.database.pool.query(
      `select name, scopes, origins, limits, expires_at, revoked_at from api_key_identities
       where name <> 'test'`,
    )
    expect(rows).toEqual([
      {
        ...{ name: 'new', scopes: ['quotes:create'], origins: [], limits: { reads: 1 } },
        ...{ expires_at: new Date(late), revoked_at: null },
      },
    ])
  },

  async 'a key that the release before revokes is revoked, and no other'(on) {
    const hash = Buffer.alloc(32, 'made by old')
    await createByOld(on, hash)
    await on.database.pool.query(
      'update api_keys set revoked_at = least(revoked_at, $1) where key_hash = $2',
      [early, hash],
    )
    expect((await findKey(on.database, hash))?.key.revokedAt).toEqual(new Date(early))
    const revoked = 'select count(revoked_at)::int as value from api_key_identities'
    expect(await oneValue(on, revoked)).toBe(1)
  },
} satisfies Record<string, Rule>
