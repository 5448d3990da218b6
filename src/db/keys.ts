import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './client.ts'
import { columnsOf } from './columnsOf.ts'
import { apiKeyIdentities, apiKeySecrets, tenants } from './schema.ts'
import { statement } from './statement.ts'

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
        timeZone: tenants.timezone,
      },
    })
    .from(apiKeySecrets)
    .innerJoin(
      apiKeyIdentities,
      and(
        eq(apiKeyIdentities.tenantId, ofSecret(apiKeySecrets.tenantId)),
        eq(apiKeyIdentities.id, ofSecret(apiKeySecrets.apiKeyId)),
      ),
    )
    .innerJoin(tenants, eq(tenants.id, ofSecret(apiKeySecrets.tenantId)))
    .where(eq(apiKeySecrets.keyHash, sql.placeholder('hash'))),
)

/** A key and the tenant it belongs to. */
export type KeyRecord = Awaited<ReturnType<typeof findKey>> & {}

/**
 * The key that has a secret with this SHA-256, whatever its state, or undefined: the one look-up
 * that has no tenant yet.
 */
export async function findKey(database: Database, hash: Buffer) {
  const [found] = await callerByHash(database).execute({ hash })
  return found
}
