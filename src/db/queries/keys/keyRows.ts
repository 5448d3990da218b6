import { and, asc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { notifyAccessChange } from '../../connection/changeNotifications.ts'
import type { OrmConnection } from '../../connection/database.ts'
import { type RowKey, rowOf } from '../../connection/statement.ts'
import { apiKeySecrets, apiKeys } from '../../schema/index.ts'

/** The columns of a secret that may be shown: all but the hash. */
const { keyHash: _, tenantId: __, apiKeyId: ___, ...shownColumns } = getTableColumns(apiKeySecrets)

export type KeyRow = typeof apiKeys.$inferSelect

/** The settings of a key that operators can change. */
export type KeySettings = Pick<KeyRow, 'name' | 'scopes' | 'origins' | 'browserOnly' | 'limits'>

type NewSecret = Pick<typeof apiKeySecrets.$inferInsert, 'keyHash' | 'prefix' | 'last4'>

/** Stores a key without secrets. */
export async function insertApiKey(
  { orm }: OrmConnection,
  key: KeySettings & Pick<KeyRow, 'tenantId' | 'expiresAt'>,
): Promise<KeyRow> {
  const [stored] = await orm.insert(apiKeys).values(key).returning()
  if (stored === undefined) throw new Error('Bug: an insert returned no row')
  return stored
}

/** Stores a secret and notifies the replicas. Call it in a transaction. */
export async function insertSecret(
  { orm }: OrmConnection,
  { tenantId, id }: RowKey,
  secret: NewSecret,
): Promise<void> {
  await notifyAccessChange({ orm }, tenantId)
  await orm.insert(apiKeySecrets).values({ tenantId, apiKeyId: id, ...secret })
}

/**
 * Ends a key's secrets in `inSeconds`, or when the key expires if that is earlier. Returns the
 * secrets that would have been valid longer.
 */
export async function endSecrets(
  { orm }: OrmConnection,
  { tenantId, id, expiresAt }: KeyRow,
  inSeconds: number,
) {
  await notifyAccessChange({ orm }, tenantId)
  const endsAt = sql`least(now() + make_interval(secs => ${inSeconds}), ${expiresAt}::timestamptz)`
  const ofKey = and(eq(apiKeySecrets.tenantId, tenantId), eq(apiKeySecrets.apiKeyId, id))
  // Lock in hash order, like `storeKeyUses`; otherwise the two can deadlock.
  const { keyHash } = apiKeySecrets
  await orm
    .select({ keyHash })
    .from(apiKeySecrets)
    .where(ofKey)
    .orderBy(keyHash)
    .for('no key update')
  return orm
    .update(apiKeySecrets)
    .set({ endsAt })
    .where(and(ofKey, or(isNull(apiKeySecrets.endsAt), gt(apiKeySecrets.endsAt, endsAt))))
    .returning(shownColumns)
}

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

/**
 * Returns a key and locks its row until the transaction ends. The lock does not block new quotes
 * and bookings, which refer to the key.
 */
export async function lockApiKey({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select()
    .from(apiKeys)
    .where(rowOf(apiKeys, tenantId, id))
    .for('no key update')
  return found
}

/** Revokes a key now. A key that is already revoked keeps its earlier revocation time. */
export async function markKeyRevoked(connection: OrmConnection, key: RowKey): Promise<KeyRow> {
  return updateApiKey(connection, key, {
    revokedAt: sql`least(${apiKeys.revokedAt}, now())`,
  })
}

/**
 * Updates a key and notifies the replicas. Call it in a transaction that has locked the key.
 * @throws Error when the key does not exist
 */
export async function updateApiKey(
  { orm }: OrmConnection,
  { tenantId, id }: RowKey,
  values: Partial<KeySettings> & { readonly revokedAt?: SQL },
): Promise<KeyRow> {
  await notifyAccessChange({ orm }, tenantId)
  const [changed] = await orm
    .update(apiKeys)
    .set(values)
    .where(rowOf(apiKeys, tenantId, id))
    .returning()
  if (changed === undefined) throw new Error('Bug: a locked key is missing')
  return changed
}
