import { asc, eq } from 'drizzle-orm'
import { notifyAccessChange } from '../connection/changeNotifications.ts'
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

/** The settings that `rental tenants set` changes. The last two are also in the fleet file. */
export type TenantChange = Partial<
  Pick<Tenant, 'status' | 'subscription' | 'onlineBooking' | 'pendingHoldHours' | 'seasons'>
>

/**
 * Updates a tenant and notifies the replicas. Returns undefined for an unknown slug. Call it in a
 * transaction.
 */
export async function updateTenant({ orm }: OrmConnection, slug: string, change: TenantChange) {
  await notifyAccessChange({ orm })
  const [updated] = await orm.update(tenants).set(change).where(eq(tenants.slug, slug)).returning()
  return updated
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
