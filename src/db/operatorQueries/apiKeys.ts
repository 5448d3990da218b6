import { and, asc, eq, getTableColumns, gt, gte, isNull, or, type SQL, sql } from 'drizzle-orm'
import { notifyAccessChange } from '../connection/changeNotifications.ts'
import type { OrmConnection } from '../connection/database.ts'
import { type RowKey, rowOf } from '../connection/statement.ts'
import { apiKeySecrets, apiKeys, idempotencyRecords } from '../schema/index.ts'

/** A secret as lists may show it: everything but its hash. */
const { keyHash: _, tenantId: __, apiKeyId: ___, ...shownColumns } = getTableColumns(apiKeySecrets)

export type KeyRow = typeof apiKeys.$inferSelect

/** What a key is besides its secrets. */
export type KeySettings = Pick<KeyRow, 'name' | 'scopes' | 'origins' | 'limits'>

type NewSecret = Pick<typeof apiKeySecrets.$inferInsert, 'keyHash' | 'prefix' | 'last4'>

export async function insertApiKey(
  { orm }: OrmConnection,
  key: KeySettings & Pick<KeyRow, 'tenantId' | 'expiresAt'>,
): Promise<KeyRow> {
  const [stored] = await orm.insert(apiKeys).values(key).returning()
  if (stored === undefined) throw new Error('Bug: an insert returned no row')
  return stored
}

/** To be called in a transaction: replicas hear of a change of keys when it is committed. */
export async function insertSecret(
  { orm }: OrmConnection,
  { tenantId, id }: RowKey,
  secret: NewSecret,
): Promise<void> {
  await notifyAccessChange({ orm })
  await orm.insert(apiKeySecrets).values({ tenantId, apiKeyId: id, ...secret })
}

/** Ends a key's secrets in so many seconds, or with it if sooner; returns those good for longer. */
export async function endSecrets(
  { orm }: OrmConnection,
  { tenantId, id, expiresAt }: KeyRow,
  inSeconds: number,
) {
  await notifyAccessChange({ orm })
  const moment = sql`least(now() + make_interval(secs => ${inSeconds}), ${expiresAt}::timestamptz)`
  const ofKey = and(eq(apiKeySecrets.tenantId, tenantId), eq(apiKeySecrets.apiKeyId, id))
  // In the order in which their uses are noted: two at once would wait for each other crosswise.
  const { keyHash } = apiKeySecrets
  await orm
    .select({ keyHash })
    .from(apiKeySecrets)
    .where(ofKey)
    .orderBy(keyHash)
    .for('no key update')
  return orm
    .update(apiKeySecrets)
    .set({ endsAt: moment })
    .where(and(ofKey, or(isNull(apiKeySecrets.endsAt), gt(apiKeySecrets.endsAt, moment))))
    .returning(shownColumns)
}

/** Keys with their secrets, the newest last. */
export async function apiKeysOfTenant({ orm }: OrmConnection, tenantId: string) {
  const keys = await orm
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.tenantId, tenantId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
  const secrets = await orm
    .select({ apiKeyId: apiKeySecrets.apiKeyId, secret: shownColumns })
    .from(apiKeySecrets)
    .where(eq(apiKeySecrets.tenantId, tenantId))
    .orderBy(asc(apiKeySecrets.createdAt))
  const secretsOf = (id: string) => secrets.filter(({ apiKeyId }) => apiKeyId === id)
  return keys.map((key) => ({ ...key, secrets: secretsOf(key.id).map(({ secret }) => secret) }))
}

/** Attempts to book since then, by outcome; records reach back a day. */
export async function countOutcomes({ orm }: OrmConnection, { tenantId, id }: RowKey, since: Date) {
  const { apiKeyId, createdAt, outcome } = idempotencyRecords
  const isOfKey = [eq(idempotencyRecords.tenantId, tenantId), eq(apiKeyId, id)]
  const booked = eq(outcome, 'ACCEPTED')
  const [counts] = await orm
    .select({
      booked: sql<number>`count(*) filter (where ${booked})::int`,
      refused: sql<number>`count(*) filter (where not ${booked})::int`,
    })
    .from(idempotencyRecords)
    .where(and(...isOfKey, gte(createdAt, since)))
  return counts ?? { booked: 0, refused: 0 }
}

/**
 * The row stays locked until the transaction ends, but not for quotes and bookings that refer to it:
 * those of other keys may be stored by the same statement, and would wait, too.
 */
export async function lockApiKey({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select()
    .from(apiKeys)
    .where(rowOf(apiKeys, tenantId, id))
    .for('no key update')
  return found
}

/** Ends a key now, or when it was to end already if that is earlier. */
export async function endApiKey(connection: OrmConnection, key: RowKey): Promise<KeyRow> {
  return updateApiKey(connection, key, {
    revokedAt: sql`least(${apiKeys.revokedAt}, now())`,
  })
}

export async function updateApiKey(
  { orm }: OrmConnection,
  { tenantId, id }: RowKey,
  values: Partial<KeySettings> & { readonly revokedAt?: SQL },
): Promise<KeyRow> {
  await notifyAccessChange({ orm })
  const [changed] = await orm
    .update(apiKeys)
    .set(values)
    .where(rowOf(apiKeys, tenantId, id))
    .returning()
  if (changed === undefined) throw new Error('Bug: a locked key is gone')
  return changed
}
