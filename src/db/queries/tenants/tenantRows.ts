import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { notifyAccessChange, notifyCatalogChange } from '../../connection/changeNotifications.ts'
import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf } from '../../connection/statement.ts'
import { assetGroups, tenants } from '../../schema/index.ts'

export type Tenant = typeof tenants.$inferSelect

export async function listTenants({ orm }: OrmConnection): Promise<Tenant[]> {
  return orm.select().from(tenants).orderBy(asc(tenants.slug))
}

export async function findTenant({ orm }: OrmConnection, slug: string) {
  const [found] = await orm.select().from(tenants).where(eq(tenants.slug, slug))
  return found
}

/** Returns the tenants whose customer data is erased after some months, with the database's time. */
export async function listCustomerRetentions({ orm }: OrmConnection) {
  const { id, timeZone, customerRetentionMonths } = tenants
  return orm
    .select({
      tenantId: id,
      timeZone,
      months: sql<number>`${customerRetentionMonths}`,
      now: sql`now()`.mapWith(tenants.createdAt),
    })
    .from(tenants)
    .where(isNotNull(customerRetentionMonths))
}

/**
 * Updates a tenant and notifies the replicas. Groups in the old currency get the new one. Call it in
 * a transaction.
 */
export async function updateTenant(
  { orm }: OrmConnection,
  { id: tenantId, currency: oldCurrency }: Tenant,
  changed: Tenant,
) {
  const { currency } = changed
  await notifyAccessChange({ orm }, tenantId)
  await notifyCatalogChange({ orm }, tenantId)
  const state = { fleetState: sql`${tenants.fleetState} + 1`, fleetStateFrom: null }
  await orm
    .update(tenants)
    .set({ ...changed, ...state })
    .where(eq(tenants.id, tenantId))
  if (currency === oldCurrency) return
  const groups = and(eq(assetGroups.tenantId, tenantId), eq(assetGroups.currency, oldCurrency))
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
