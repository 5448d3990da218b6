import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Rate } from '../domain/rates.ts'
import type { Database } from './client.ts'
import { assetGroups, extras, rates } from './schema.ts'
import { statement } from './statement.ts'

const groupsOfTenant = statement('groups_of_tenant', (orm) =>
  orm
    .select({
      id: assetGroups.id,
      name: assetGroups.name,
      category: assetGroups.category,
      description: assetGroups.description,
      imageUrl: assetGroups.imageUrl,
    })
    .from(assetGroups)
    .where(
      and(eq(assetGroups.tenantId, sql.placeholder('tenantId')), isNull(assetGroups.archivedAt)),
    )
    .orderBy(asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id)),
)

const groupWithRates = statement('group_with_rates', (orm) =>
  orm
    .select({ currency: assetGroups.currency, rate: rates })
    .from(assetGroups)
    .leftJoin(
      rates,
      and(
        eq(rates.tenantId, assetGroups.tenantId),
        eq(rates.assetGroupId, assetGroups.id),
        isNull(rates.archivedAt),
      ),
    )
    .where(
      and(
        eq(assetGroups.tenantId, sql.placeholder('tenantId')),
        eq(assetGroups.id, sql.placeholder('groupId')),
        isNull(assetGroups.archivedAt),
      ),
    )
    .orderBy(sql`${rates.validFrom} nulls first`, asc(rates.name), asc(rates.id)),
)

/** The tenant's bookable groups by category, name and id (decision 11). */
export async function listAssetGroups(database: Database, tenantId: string) {
  return groupsOfTenant(database).execute({ tenantId })
}

/** A group's currency and rates by validFrom (null first), name and id; undefined for an unknown group. */
export async function findGroupRates(
  database: Database,
  tenantId: string,
  groupId: string,
): Promise<{ currency: string; rates: Rate[] } | undefined> {
  const rows = await groupWithRates(database).execute({ tenantId, groupId })
  const [first] = rows
  if (first === undefined) return undefined
  const { currency } = first
  return {
    currency,
    rates: rows.flatMap(({ rate }) => (rate === null ? [] : [{ ...rate, currency }])),
  }
}

/** The extras with these ids that the tenant offers; unknown and archived ones are left out. */
export async function findExtras(database: Database, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return database.orm
    .select()
    .from(extras)
    .where(
      and(eq(extras.tenantId, tenantId), inArray(extras.id, [...ids]), isNull(extras.archivedAt)),
    )
}
