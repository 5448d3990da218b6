import { eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { minuteMs } from '../domain/units.ts'
import type { Database } from './client.ts'
import { apiKeyIdentities, apiKeySecrets, tenants } from './schema.ts'
import { columnsOf, rowOf, statement } from './statement.ts'
import { inTransaction } from './transaction.ts'

/**
 * A column of the secret that was sent, known before the rest is looked up: a plan made when there
 * was one tenant would read all of them and compare each with the secret's.
 */
const ofSecret = (column: PgColumn) =>
  sql`(select ${column} from ${apiKeySecrets} where ${apiKeySecrets.keyHash} = ${sql.placeholder('hash')})`

const callerByHash = statement('caller_by_hash', (orm) =>
  orm
    .select({
      key: {
        ...columnsOf(apiKeyIdentities, 'id', 'scopes', 'origins', 'limits', 'revokedAt'),
        /** Of the key, or of the secret that was sent: whichever ends first. */
        expiresAt:
          sql<Date | null>`least(${apiKeyIdentities.expiresAt}, ${apiKeySecrets.endsAt})`.mapWith(
            apiKeyIdentities.expiresAt,
          ),
        /** When it was looked up, by the database's clock. */
        readAt: sql<Date>`now()`.mapWith(apiKeyIdentities.createdAt),
      },
      tenant: {
        ...columnsOf(tenants, 'id', 'status', 'subscription', 'onlineBooking'),
        timeZone: tenants.timeZone,
      },
    })
    .from(apiKeySecrets)
    .innerJoin(
      apiKeyIdentities,
      rowOf(apiKeyIdentities, ofSecret(apiKeySecrets.tenantId), ofSecret(apiKeySecrets.apiKeyId)),
    )
    .innerJoin(tenants, eq(tenants.id, ofSecret(apiKeySecrets.tenantId)))
    .where(eq(apiKeySecrets.keyHash, sql.placeholder('hash'))),
)

export type KeyRecord = Awaited<ReturnType<typeof findKey>> & {}

/** The key with this SHA-256, whatever its state: the one look-up that has no tenant yet. */
export async function findKey(database: Database, hash: Buffer) {
  const [found] = await callerByHash(database).execute({ hash })
  return found
}

export interface KeyUse {
  readonly tenantId: string
  readonly apiKeyId: string
  readonly keyHash: Buffer
  readonly usedAt: Date
}

/**
 * In the order of the hashes, whatever the plan, so that replicas don't wait for each other
 * crosswise. A statement of its own: where tables are distributed, an update can't lock like that.
 */
const lock = `
select from api_key_secrets
where (tenant_id, api_key_id, key_hash) in (select * from unnest($1::uuid[], $2::uuid[], $3::bytea[]))
order by key_hash for no key update`

const note = `
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
  const minutes = uses.map(
    ({ usedAt }) => new Date(Math.floor(usedAt.getTime() / minuteMs) * minuteMs),
  )
  await inTransaction(database, async ({ pool }) => {
    await pool.query({ text: lock, values: keys })
    await pool.query({ text: note, values: [...keys, minutes] })
  })
}
