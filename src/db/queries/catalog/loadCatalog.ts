import { and, asc, eq, isNull, type Placeholder, sql } from 'drizzle-orm'
import type { Catalog } from '../../../domain/pricing/catalog.ts'
import type { Rate } from '../../../domain/pricing/rates.ts'
import type { Database, OrmConnection } from '../../connection/database.ts'
import { columnsOf, runNamed } from '../../connection/statement.ts'
import { assetGroups, extras, rates } from '../../schema/index.ts'

/** Selects a tenant's pricing terms and catalog version (sql/catalogs.sql). */
const termsOfTenant = `
select version, min_lead_minutes as "minLeadMinutes", timezone as "timeZone",
  tax_percent as "taxPercent", prices_include_tax as "pricesIncludeTax",
  grace_period_minutes as "gracePeriodMinutes", seasons
from catalogs where tenant_id = $1`

type TermsRow = Pick<Catalog, 'version' | 'minLeadMinutes'> & Catalog['terms']

type TenantId = string | Placeholder

const groupsOfTenant = ({ orm }: OrmConnection, tenantId: TenantId) =>
  orm
    .select(columnsOf(assetGroups, 'id', 'name', 'category', 'description', 'imageUrl', 'currency'))
    .from(assetGroups)
    .where(and(eq(assetGroups.tenantId, tenantId), isNull(assetGroups.archivedAt)))
    .orderBy(asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id))

const ratesOfTenant = ({ orm }: OrmConnection, tenantId: TenantId) =>
  orm
    .select({
      groupId: rates.assetGroupId,
      ...columnsOf(rates, 'id', 'name', 'validFrom', 'validTo'),
      ...columnsOf(rates, 'dailyMinor', 'hourlyMinor', 'weeklyMinor', 'monthlyMinor'),
    })
    .from(rates)
    .where(and(eq(rates.tenantId, tenantId), isNull(rates.archivedAt)))
    .orderBy(sql`${rates.validFrom} nulls first`, asc(rates.name), asc(rates.id))

/** Selects a tenant's extras, sorted by name. */
export const extrasOfTenant = ({ orm }: OrmConnection, tenantId: TenantId) =>
  orm
    .select({
      ...columnsOf(extras, 'id', 'name', 'pricing', 'currency'),
      unitMinor: extras.priceMinor,
      maxMinor: extras.maxPriceMinor,
    })
    .from(extras)
    .where(and(eq(extras.tenantId, tenantId), isNull(extras.archivedAt)))
    .orderBy(asc(extras.name), asc(extras.id))

/**
 * Returns a function that reads a tenant's catalog. If the version of `outdated` is still current,
 * the function returns that object without reading the rows.
 */
export function catalogReader(database: Database) {
  const placeholder = sql.placeholder('tenantId')
  const named = (name: string) => (database.preparedStatements ? name : '')
  const findGroups = groupsOfTenant(database, placeholder).prepare(named('groups_of_tenant'))
  const findRates = ratesOfTenant(database, placeholder).prepare(named('rates_of_tenant'))
  const findExtras = extrasOfTenant(database, placeholder).prepare(named('extras_of_tenant'))
  return async (tenantId: string, outdated?: Catalog): Promise<Catalog> => {
    // Read the version before the rows: if the catalog changes between the two reads, quotes priced
    // from it have an outdated version and are not stored.
    const [tenant] = await runNamed<TermsRow>(database, 'catalog_version', termsOfTenant, [
      tenantId,
    ])
    if (tenant === undefined) throw new Error('Bug: a caller without a tenant')
    if (tenant.version === outdated?.version) return outdated
    const [groupRows, rateRows, extraRows] = await Promise.all([
      findGroups.execute({ tenantId }),
      findRates.execute({ tenantId }),
      findExtras.execute({ tenantId }),
    ])
    const { version, minLeadMinutes, ...terms } = tenant
    const groups = groupRows.map((row) => ({ ...row, rates: [] as Rate[] }))
    const groupsById = new Map(groups.map((group) => [group.id, group]))
    for (const { groupId, ...rate } of rateRows) {
      // Rates of archived groups have no group here.
      const group = groupsById.get(groupId)
      group?.rates.push({ ...rate, currency: group.currency })
    }
    const extrasById = new Map(extraRows.map((extra) => [extra.id, extra]))
    const rowCount = groupRows.length + rateRows.length + extraRows.length
    return { version, minLeadMinutes, terms, groups, groupsById, extrasById, rowCount }
  }
}
