import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { OrmConnection } from '../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../connection/statement.ts'
import { assetBlocks, assetGroups, assets, tenants } from '../schema/index.ts'

/** Which vehicle: its ref, and where that is not enough its tenant and group. */
export interface AssetName {
  readonly ref: string
  readonly slug?: string | undefined
  readonly groupRef?: string | undefined
}

/** Every vehicle in service with this name. */
export function findAssets({ orm }: OrmConnection, { ref, slug, groupRef }: AssetName) {
  return orm
    .select({
      ...columnsOf(assets, 'tenantId', 'id', 'ref', 'assetGroupId'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
      groupRef: assetGroups.ref,
    })
    .from(assets)
    .innerJoin(tenants, eq(tenants.id, assets.tenantId))
    .innerJoin(assetGroups, rowOf(assetGroups, assets.tenantId, assets.assetGroupId))
    .where(
      and(
        eq(assets.ref, ref),
        isNull(assets.archivedAt),
        slug === undefined ? undefined : eq(tenants.slug, slug),
        groupRef === undefined ? undefined : eq(assetGroups.ref, groupRef),
      ),
    )
    .orderBy(tenants.slug, assetGroups.ref)
}

/** Blocks of a vehicle that count, and are not over yet, the soonest first. */
export function findBlocks({ orm }: OrmConnection, { tenantId, id }: RowKey, now: Date) {
  const { assetId, archivedAt, startsAt, endsAt } = assetBlocks
  const isOfAsset = [eq(assetBlocks.tenantId, tenantId), eq(assetId, id)]
  return orm
    .select(columnsOf(assetBlocks, 'id', 'startsAt', 'endsAt', 'reason', 'blockedBy'))
    .from(assetBlocks)
    .where(and(...isOfAsset, isNull(archivedAt), gt(endsAt, now)))
    .orderBy(startsAt, endsAt)
}

export async function insertBlock(
  { orm }: OrmConnection,
  block: typeof assetBlocks.$inferInsert & { readonly tenantId: string },
): Promise<string> {
  const [stored] = await orm.insert(assetBlocks).values(block).returning({ id: assetBlocks.id })
  if (stored === undefined) throw new Error('Bug: an insert returned no row')
  return stored.id
}

export async function archiveBlock({ orm }: OrmConnection, tenantId: string, id: string) {
  await orm
    .update(assetBlocks)
    .set({ archivedAt: sql`now()` })
    .where(rowOf(assetBlocks, tenantId, id))
}
