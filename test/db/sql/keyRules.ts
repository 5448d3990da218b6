import { expect } from 'vitest'
import { findKey, storeKeyUses } from '../../../src/db/queries/keys/keyLookup.ts'
import { lockWaits } from '../../helpers/lockWaits.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { type Ground, oneValue, type Rule } from './ground.ts'

const early = '2038-01-01T00:00:00Z'
const late = '2038-02-01T00:00:00Z'

/** Inserts a secret for a key and returns its hash: `name` repeated to 32 bytes. */
async function aSecret(on: Ground, name: string, keyId: string, endsAt: string | null) {
  const hash = Buffer.alloc(32, name)
  await on.database.pool.query(
    `insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4, ends_at)
     select tenant_id, id, $2, 'pk', '1234', $3 from api_keys where id = $1`,
    [keyId, hash, endsAt],
  )
  return hash
}

const ends = [
  { key: null, secret: early, expected: early },
  { key: early, secret: null, expected: early },
  { key: early, secret: late, expected: early },
  { key: late, secret: early, expected: early },
  { key: null, secret: null, expected: null },
]

const instantOf = (text: string | null) => (text === null ? null : new Date(text))

export const keyRules = {
  async 'locks secrets in one order when replicas store their last use'(on) {
    const { pool } = on.database
    // A plan that reads the secrets in the order of storage, which is the opposite order.
    pool.options.options +=
      ' -c enable_nestloop=off -c enable_mergejoin=off -c enable_indexscan=off -c enable_bitmapscan=off'
    for (const name of 'fedcba') await aSecret(on, name, on.keyId, null)
    // PostgreSQL reuses the space of deleted rows, so the order of storage must be queried.
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
      const noted = storeKeyUses(
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

  async 'finds a key and its tenant by each of its secrets'(on) {
    const otherTenant = await aTenant(on.database, { status: 'suspended' })
    const other = await aKey(on.database, otherTenant, { scopes: ['rates:read'] })
    const theirs = await aSecret(on, 'theirs', other.id, null)
    for (const id of [on.keyId, on.otherKeyId]) {
      const found = await findKey(on.database, await aSecret(on, id, id, null))
      expect([found?.key.id, found?.tenant.id]).toEqual([id, on.tenantId])
    }
    expect(await findKey(on.database, theirs)).toMatchObject({
      key: { id: other.id, scopes: ['rates:read'], origins: [], limits: {} },
      tenant: { id: otherTenant, status: 'suspended', subscription: 'active', onlineBooking: true },
    })
    expect(await findKey(on.database, Buffer.alloc(32, 'nobody'))).toBeUndefined()
  },

  async 'ends a secret at the earlier of its own expiry and that of its key'(on) {
    const { id } = await aKey(on.database, on.tenantId)
    for (const [index, { key, secret, expected }] of ends.entries()) {
      const expire = 'update api_keys set expires_at = $1 where id = $2'
      await on.database.pool.query(expire, [instantOf(key), id])
      const found = await findKey(on.database, await aSecret(on, `secret ${index}`, id, secret))
      expect(found?.key.expiresAt).toEqual(instantOf(expected))
    }
  },
} satisfies Record<string, Rule>
