import { minuteMs } from '../../domain/units.ts'
import type { Database } from '../connection/database.ts'
import { runNamed } from '../connection/statement.ts'
import { inTransaction } from '../connection/transaction.ts'
import type { KeyRow } from '../operatorQueries/apiKeys.ts'
import type { Tenant } from '../operatorQueries/tenants.ts'

export interface KeyRecord {
  readonly key: Pick<KeyRow, 'id' | 'scopes' | 'origins' | 'limits' | 'revokedAt'> & {
    /** Of the key, or of the secret that was sent: whichever ends first. */
    readonly expiresAt: Date | null
    /** When it was looked up, by the database's clock. */
    readonly readAt: Date
  }
  readonly tenant: Pick<Tenant, 'id' | 'status' | 'subscription' | 'onlineBooking' | 'timeZone'>
}

/**
 * What belongs to the secret is known before the rest is looked up: a plan made when there was one
 * tenant would read all of them and compare each with the secret's.
 */
const callerByHash = `
select k.id, k.scopes, k.origins, k.limits, k.revoked_at as "revokedAt",
  least(k.expires_at, s.ends_at) as "expiresAt", now() as "readAt", t.id as "tenantId",
  t.status, t.subscription, t.online_booking as "onlineBooking", t.timezone as "timeZone"
from api_key_secrets s
join api_keys k
  on k.tenant_id = (select tenant_id from api_key_secrets where key_hash = $1)
  and k.id = (select api_key_id from api_key_secrets where key_hash = $1)
join tenants t on t.id = (select tenant_id from api_key_secrets where key_hash = $1)
where s.key_hash = $1`

/**
 * The key with this SHA-256, whatever its state: the one look-up that has no tenant yet. Strangers
 * can ask for keys that don't exist, so it takes none of the pool that bookings need.
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
  /** Raised in place with each use (cache/keyUses.ts). */
  usedAtMs: number
}

/**
 * In the order of the hashes, whatever the plan, so that replicas don't wait for each other
 * crosswise. A statement of its own: where tables are distributed, an update can't lock like that.
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

/** Writes down in which minute secrets were used, unless a later one is there already. */
export async function noteKeyUses(database: Database, uses: readonly KeyUse[]): Promise<void> {
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
