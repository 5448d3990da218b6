import { asc, eq } from 'drizzle-orm'
import { notifyAccessChange } from '../connection/changeNotifications.ts'
import type { OrmConnection } from '../connection/database.ts'
import { columnsOf } from '../connection/statement.ts'
import { assetGroups, tenants } from '../schema/index.ts'

export type Tenant = typeof tenants.$inferSelect

export async function listTenants({ orm }: OrmConnection): Promise<Tenant[]> {
  return orm.select().from(tenants).orderBy(asc(tenants.slug))
}

export async function findTenant({ orm }: OrmConnection, slug: string) {
  const [found] = await orm.select().from(tenants).where(eq(tenants.slug, slug))
  return found
}

/** What of a tenant is set by command; the last two are also in its fleet file. */
export type TenantChange = Partial<
  Pick<Tenant, 'status' | 'subscription' | 'onlineBooking' | 'pendingHoldHours' | 'seasons'>
>

/** To be called in a transaction: sets what is given of a tenant; undefined for an unknown slug. */
export async function updateTenant({ orm }: OrmConnection, slug: string, change: TenantChange) {
  await notifyAccessChange({ orm })
  const [updated] = await orm.update(tenants).set(change).where(eq(tenants.slug, slug)).returning()
  return updated
}

/** The tenant of a group: looks over all, for the demo, which remembers its group. */
export async function findTenantOfGroup({ orm }: OrmConnection, groupId: string) {
  const [tenant] = await orm
    .select(columnsOf(tenants, 'id', 'slug'))
    .from(assetGroups)
    .innerJoin(tenants, eq(tenants.id, assetGroups.tenantId))
    .where(eq(assetGroups.id, groupId))
  return tenant
}
