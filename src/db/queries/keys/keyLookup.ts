import { minuteMs } from '../../../domain/units.ts'
import type { Database } from '../../connection/database.ts'
import { runNamed } from '../../connection/statement.ts'
import { inTransaction } from '../../connection/transaction.ts'
import type { Tenant } from '../tenants/tenantRows.ts'
import type { KeyRow } from './keyRows.ts'

export interface KeyRecord {
  readonly key: Omit<KeyRow, 'tenantId' | 'name' | 'expiresAt' | 'createdAt'> & {
    /** The expiry of the key or of the secret that was sent, whichever is earlier. */
    readonly expiresAt: Date | null
    /** When a rotation replaced the secret that was sent. */
    readonly replacedAt: Date | null
    /** The time of the lookup by the database's clock. */
    readonly readAt: Date
  }
  readonly tenant: Pick<Tenant, 'id' | 'status' | 'subscription' | 'onlineBooking' | 'timeZone'>
}

/**
 * Keep the scalar subqueries: with plain joins, a plan cached while there was one tenant scans all
 * tenants and keys.
 */
const callerByHash = `
select k.id, k.scopes, k.origins, k.browser_only as "browserOnly", k.limits,
  k.revoked_at as "revokedAt",
  least(k.expires_at, s.ends_at) as "expiresAt", now() as "readAt", t.id as "tenantId",
  case when s.ends_at is not null then (
    select max(n.created_at) from api_key_secrets n
    where n.tenant_id = s.tenant_id and n.api_key_id = s.api_key_id
  ) end as "replacedAt",
  t.status, t.subscription, t.online_booking as "onlineBooking", t.timezone as "timeZone"
from api_key_secrets s
join api_keys k
  on k.tenant_id = (select tenant_id from api_key_secrets where key_hash = $1)
  and k.id = (select api_key_id from api_key_secrets where key_hash = $1)
join tenants t on t.id = (select tenant_id from api_key_secrets where key_hash = $1)
where s.key_hash = $1`

/**
 * Returns the key whose secret has this SHA-256 hash, in any state. Uses `reads`, so that requests
 * with made-up keys take no connections from bookings.
 */
export async function findKey({ reads }: Pick<Database, 'reads'>, hash: Buffer) {
  type Row = KeyRecord['key'] & Omit<KeyRecord['tenant'], 'id'> & { readonly tenantId: string }
  const [row] = await runNamed<Row>(reads, 'caller_by_hash', callerByHash, [hash])
  if (row === undefined) return undefined
  const { tenantId, status, subscription, onlineBooking, timeZone, ...key } = row
  return { key, tenant: { id: tenantId, status, subscription, onlineBooking, timeZone } }
}

export interface KeyUse {
  readonly tenantId: string
  readonly apiKeyId: string
  readonly keyHash: Buffer
  /** Updated in place on each use (cache/keyUses.ts). */
  usedAtMs: number
}

/**
 * Locks rows in hash order, so that replicas do not deadlock. A separate statement, because Citus
 * does not support such a lock within an update.
 */
const secretsInOrder = `
select from api_key_secrets
where (tenant_id, api_key_id, key_hash) in (select * from unnest($1::uuid[], $2::uuid[], $3::bytea[]))
order by key_hash for no key update`

const lastUses = `
update api_key_secrets s set last_used_at = used.minute
from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::timestamptz[])
  as used(tenant_id, api_key_id, key_hash, minute)
where s.tenant_id = used.tenant_id and s.api_key_id = used.api_key_id and s.key_hash = used.key_hash
  and (s.last_used_at is null or s.last_used_at < used.minute)`

/** Stores the minute in which each secret was last used, unless a later minute is stored. */
export async function storeKeyUses(database: Database, uses: readonly KeyUse[]): Promise<void> {
  const keys = [
    uses.map(({ tenantId }) => tenantId),
    uses.map(({ apiKeyId }) => apiKeyId),
    uses.map(({ keyHash }) => keyHash),
  ]
  const minutes = uses.map(({ usedAtMs }) => new Date(Math.floor(usedAtMs / minuteMs) * minuteMs))
  await inTransaction(database, async ({ pool }) => {
    await pool.query({ text: secretsInOrder, values: keys })
    await pool.query({ text: lastUses, values: [...keys, minutes] })
  })
}
