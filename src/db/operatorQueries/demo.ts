import { eq } from 'drizzle-orm'
import type { OrmConnection } from '../connection/database.ts'
import { columnsOf } from '../connection/statement.ts'
import { assetGroups, tenants } from '../schema/index.ts'

/** The tenant of a group: looks over all, for the demo, which remembers its group. */
export async function findTenantOfGroup({ orm }: OrmConnection, groupId: string) {
  const [tenant] = await orm
    .select(columnsOf(tenants, 'id', 'slug'))
    .from(assetGroups)
    .innerJoin(tenants, eq(tenants.id, assetGroups.tenantId))
    .where(eq(assetGroups.id, groupId))
  return tenant
}
