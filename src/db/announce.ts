import { sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'

// Replicas listen (accessChanges.ts) and read again. Sent in the transaction of the change, so they
// hear of it when it is committed. Where tables are distributed no trigger can do it (decision 392).

/** A key, or what is remembered with it of its tenant, has changed. */
export async function announceAccessChange({ orm }: OrmConnection): Promise<void> {
  await orm.execute(sql`select pg_notify('access_changed', '')`)
}

/** What a tenant offers, or the terms of its prices. */
export async function announceCatalogChange(
  { orm }: OrmConnection,
  tenantId: string,
): Promise<void> {
  await orm.execute(sql`select pg_notify('catalog_changed', ${tenantId})`)
}
