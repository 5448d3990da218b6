import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { foldRef } from '../../../domain/foldText.ts'
import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../../connection/statement.ts'
import { assetBlocks, assetGroups, assets, tenants } from '../../schema/index.ts'

/** The ref of a vehicle, in any case and spacing, and its tenant if several tenants have the ref. */
export interface AssetName {
  readonly ref: string
  readonly slug?: string | undefined
}

/**
 * Returns the vehicles that match and are not archived, of each tenant only the one with exactly this
 * ref if there is one.
 */
export async function findAssets({ orm }: OrmConnection, { ref, slug }: AssetName) {
  const found = await orm
    .select({
      ...columnsOf(assets, 'tenantId', 'id', 'ref', 'assetGroupId'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
      groupRef: assetGroups.ref,
      turnaroundMinutes: assetGroups.turnaroundMinutes,
    })
    .from(assets)
    .innerJoin(tenants, eq(tenants.id, assets.tenantId))
    .innerJoin(assetGroups, rowOf(assetGroups, assets.tenantId, assets.assetGroupId))
    .where(
      and(
        eq(assets.foldedRef, foldRef(ref)),
        isNull(assets.archivedAt),
        slug === undefined ? undefined : eq(tenants.slug, slug),
      ),
    )
    .orderBy(tenants.slug)
  const exact = new Map(found.map((asset) => [asset.ref === ref ? asset.slug : '', asset]))
  return found.filter((asset) => (exact.get(asset.slug) ?? asset) === asset)
}

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

/** Archives a block, which puts the vehicle back into service. */
export async function archiveBlock({ orm }: OrmConnection, tenantId: string, id: string) {
  await orm
    .update(assetBlocks)
    .set({ archivedAt: sql`now()` })
    .where(rowOf(assetBlocks, tenantId, id))
}
