import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { apiKeys } from './schema.ts'

type Connection = Pick<Database, 'orm'>

const { keyHash: _, ...shownColumns } = getTableColumns(apiKeys)

/** A key as lists may show it: everything but its hash. */
export type StoredApiKey = Omit<typeof apiKeys.$inferSelect, 'keyHash'>

export type NewApiKey = Omit<
  typeof apiKeys.$inferInsert,
  'id' | 'revokedAt' | 'createdAt' | 'limits'
> & { readonly limits: Record<string, number> }

export async function insertApiKey({ orm }: Connection, key: NewApiKey): Promise<StoredApiKey> {
  const [stored] = await orm.insert(apiKeys).values(key).returning(shownColumns)
  if (stored === undefined) throw new Error('Bug: an insert returned no row')
  return stored
}

/** A tenant's keys in the order they were made. */
export async function apiKeysOfTenant(
  { orm }: Connection,
  tenantId: string,
): Promise<StoredApiKey[]> {
  return orm
    .select(shownColumns)
    .from(apiKeys)
    .where(eq(apiKeys.tenantId, tenantId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
}

/** Looks over all tenants, for staff; the row stays locked until the transaction ends. */
export async function lockApiKey({ orm }: Connection, id: string) {
  const [found] = await orm
    .select(shownColumns)
    .from(apiKeys)
    .where(eq(apiKeys.id, id))
    .for('update')
  return found
}

/** Ends a key in so many seconds, or when it was to end already if that is earlier. */
export async function endApiKey(
  { orm }: Connection,
  { tenantId, id }: Pick<StoredApiKey, 'tenantId' | 'id'>,
  inSeconds: number,
): Promise<StoredApiKey> {
  const moment = sql`now() + make_interval(secs => ${inSeconds})`
  const [ended] = await orm
    .update(apiKeys)
    .set({ revokedAt: sql`least(${apiKeys.revokedAt}, ${moment})` })
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
    .returning(shownColumns)
  if (ended === undefined) throw new Error('Bug: a locked key is gone')
  return ended
}

export async function setOrigins(
  { orm }: Connection,
  { tenantId, id }: Pick<StoredApiKey, 'tenantId' | 'id'>,
  origins: string[],
): Promise<void> {
  await orm
    .update(apiKeys)
    .set({ origins })
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
}
