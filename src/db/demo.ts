import { and, eq, sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { assetGroups, tenants } from './schema.ts'
import { columnsOf } from './statement.ts'

/** The tenant of a group: looks over all, for the demo, which remembers its group. */
export async function findTenantOfGroup({ orm }: OrmConnection, groupId: string) {
  const [tenant] = await orm
    .select(columnsOf(tenants, 'id', 'slug'))
    .from(assetGroups)
    .innerJoin(tenants, eq(tenants.id, assetGroups.tenantId))
    .where(eq(assetGroups.id, groupId))
  return tenant
}

/** Gives images of a tenant's groups that begin with `before` another beginning. */
export async function moveImages(
  { orm }: OrmConnection,
  tenantId: string,
  before: string,
  after: string,
): Promise<void> {
  const { imageUrl } = assetGroups
  await orm
    .update(assetGroups)
    .set({ imageUrl: sql`${after}::text || substr(${imageUrl}, length(${before}::text) + 1)` })
    .where(and(eq(assetGroups.tenantId, tenantId), sql`starts_with(${imageUrl}, ${before})`))
}
