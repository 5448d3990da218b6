import { and, asc, eq } from 'drizzle-orm'
import { notifyAccessChange, notifyCatalogChange } from '../connection/changeNotifications.ts'
import type { OrmConnection } from '../connection/database.ts'
import { columnsOf } from '../connection/statement.ts'
import { assetGroups, tenants } from '../schema/index.ts'

export type Tenant = typeof tenants.$inferSelect

/** Returns all tenants, sorted by slug. */
export async function listTenants({ orm }: OrmConnection): Promise<Tenant[]> {
  return orm.select().from(tenants).orderBy(asc(tenants.slug))
}

/** Returns the tenant with this slug, or undefined. */
export async function findTenant({ orm }: OrmConnection, slug: string) {
  const [found] = await orm.select().from(tenants).where(eq(tenants.slug, slug))
  return found
}

/**
 * Updates a tenant and notifies the replicas. Groups in the old currency get the new one. Call it in
 * a transaction.
 */
export async function updateTenant({ orm }: OrmConnection, before: Tenant, tenant: Tenant) {
  const { id, currency } = tenant
  await notifyAccessChange({ orm })
  await notifyCatalogChange({ orm }, id)
  await orm.update(tenants).set(tenant).where(eq(tenants.id, id))
  if (currency === before.currency) return
  const groups = and(eq(assetGroups.tenantId, id), eq(assetGroups.currency, before.currency))
  await orm.update(assetGroups).set({ currency }).where(groups)
}

/** Returns the tenant of a group. For the demo, which stores only the group's ID. */
export async function findTenantOfGroup({ orm }: OrmConnection, groupId: string) {
  const [tenant] = await orm
    .select(columnsOf(tenants, 'id', 'slug'))
    .from(assetGroups)
    .innerJoin(tenants, eq(tenants.id, assetGroups.tenantId))
    .where(eq(assetGroups.id, groupId))
  return tenant
}
