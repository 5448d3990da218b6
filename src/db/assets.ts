import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { assetBlocks, assetGroups, assets, tenants } from './schema.ts'
import { columnsOf, rowOf } from './statement.ts'

export type FoundAsset = Awaited<ReturnType<typeof findAssets>>[number]

/** Every vehicle in service with this ref; of one tenant and one group if they are given. */
export function findAssets(
  { orm }: OrmConnection,
  ref: string,
  of: { readonly slug?: string | undefined; readonly groupRef?: string | undefined },
) {
  return orm
    .select({
      ...columnsOf(assets, 'tenantId', 'id', 'ref', 'assetGroupId'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
      groupRef: assetGroups.ref,
      groupName: assetGroups.name,
    })
    .from(assets)
    .innerJoin(tenants, eq(tenants.id, assets.tenantId))
    .innerJoin(assetGroups, rowOf(assetGroups, assets.tenantId, assets.assetGroupId))
    .where(
      and(
        eq(assets.ref, ref),
        isNull(assets.archivedAt),
        isNull(assetGroups.archivedAt),
        of.slug === undefined ? undefined : eq(tenants.slug, of.slug),
        of.groupRef === undefined ? undefined : eq(assetGroups.ref, of.groupRef),
      ),
    )
    .orderBy(tenants.slug, assetGroups.ref)
}

/** Blocks of a vehicle that count, and are not over yet, the soonest first. */
export function findBlocks(
  { orm }: OrmConnection,
  { tenantId, id }: Pick<FoundAsset, 'tenantId' | 'id'>,
  now: Date,
) {
  return orm
    .select(columnsOf(assetBlocks, 'id', 'startsAt', 'endsAt', 'reason', 'blockedBy'))
    .from(assetBlocks)
    .where(
      and(
        eq(assetBlocks.tenantId, tenantId),
        eq(assetBlocks.assetId, id),
        isNull(assetBlocks.archivedAt),
        gt(assetBlocks.endsAt, now),
      ),
    )
    .orderBy(assetBlocks.startsAt, assetBlocks.endsAt)
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
