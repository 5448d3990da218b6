import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Catalog } from '../domain/catalog.ts'
import type { Rate } from '../domain/rates.ts'
import type { Database } from './client.ts'
import { assetGroups, extras, rates } from './schema.ts'
import { columnsOf, runNamed, statement } from './statement.ts'

/** The terms of each tenant's prices, and the version of all it offers (sql/catalogs.sql). */
const termsOfTenant = `
select version, min_lead_minutes as "minLeadMinutes", timezone as "timeZone",
  tax_percent as "taxPercent", prices_include_tax as "pricesIncludeTax",
  grace_period_minutes as "gracePeriodMinutes", seasons
from catalogs where tenant_id = $1`

type TermsRow = Pick<Catalog, 'version' | 'minLeadMinutes'> & Catalog['terms']

const groupsOfTenant = statement('groups_of_tenant', (orm) =>
  orm
    .select(columnsOf(assetGroups, 'id', 'name', 'category', 'description', 'imageUrl', 'currency'))
    .from(assetGroups)
    .where(
      and(eq(assetGroups.tenantId, sql.placeholder('tenantId')), isNull(assetGroups.archivedAt)),
    )
    .orderBy(asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id)),
)

const ratesOfTenant = statement('rates_of_tenant', (orm) =>
  orm
    .select({
      groupId: rates.assetGroupId,
      ...columnsOf(rates, 'id', 'name', 'validFrom', 'validTo'),
      ...columnsOf(rates, 'dailyMinor', 'hourlyMinor', 'weeklyMinor', 'monthlyMinor'),
    })
    .from(rates)
    .where(and(eq(rates.tenantId, sql.placeholder('tenantId')), isNull(rates.archivedAt)))
    .orderBy(sql`${rates.validFrom} nulls first`, asc(rates.name), asc(rates.id)),
)

/** What a tenant offers besides vehicles, by name. */
export const extrasOfTenant = statement('extras_of_tenant', (orm) =>
  orm
    .select({
      ...columnsOf(extras, 'id', 'name', 'pricing', 'currency'),
      unitMinor: extras.priceMinor,
      maxMinor: extras.maxPriceMinor,
    })
    .from(extras)
    .where(and(eq(extras.tenantId, sql.placeholder('tenantId')), isNull(extras.archivedAt)))
    .orderBy(asc(extras.name), asc(extras.id)),
)

/**
 * Everything a tenant offers, in the orders of decision 11; undefined for an unknown tenant. If
 * `outdated` is still what the tenant offers, one small look tells, and it is returned as it is.
 */
export async function readCatalog(
  database: Database,
  tenantId: string,
  outdated?: Catalog,
): Promise<Catalog | undefined> {
  // First, so that the rest can only be newer: a quote priced by it is then not stored.
  const [tenant] = await runNamed<TermsRow>(database, 'catalog_version', termsOfTenant, [tenantId])
  if (tenant === undefined) return undefined
  const { version, minLeadMinutes, ...terms } = tenant
  if (version === outdated?.version) return outdated
  const [groupRows, rateRows, extraRows] = await Promise.all([
    groupsOfTenant(database).execute({ tenantId }),
    ratesOfTenant(database).execute({ tenantId }),
    extrasOfTenant(database).execute({ tenantId }),
  ])
  const groups = groupRows.map((row) => ({ ...row, rates: [] as Rate[] }))
  const groupsById = new Map(groups.map((group) => [group.id, group]))
  for (const { groupId, ...rate } of rateRows) {
    // Archived groups are not among them.
    const group = groupsById.get(groupId)
    group?.rates.push({ ...rate, currency: group.currency })
  }
  return {
    ...{ version, minLeadMinutes, terms },
    groups,
    groupsById,
    extrasById: new Map(extraRows.map((extra) => [extra.id, extra])),
    rowCount: groupRows.length + rateRows.length + extraRows.length,
  }
}
