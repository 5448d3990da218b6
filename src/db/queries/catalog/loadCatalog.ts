import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, isNull, type Placeholder, sql } from 'drizzle-orm'
import type { Texts, Translations } from '../../../domain/languages.ts'
import type { Catalog } from '../../../domain/pricing/catalog.ts'
import type { Rate } from '../../../domain/pricing/rates.ts'
import type { Database, OrmConnection } from '../../connection/database.ts'
import { columnsOf, runNamed } from '../../connection/statement.ts'
import { assetGroups, extras } from '../../schema/index.ts'

/** Selects a tenant's pricing terms and catalog version (sql/catalogs.sql). */
const termsOfTenant = `
select version, min_lead_minutes as "minLeadMinutes", timezone as "timeZone",
  tax_percent as "taxPercent", prices_include_tax as "pricesIncludeTax",
  grace_period_minutes as "gracePeriodMinutes", seasons, language,
  opening_hours as "openingHours", special_days as "specialDays"
from catalogs where tenant_id = $1`

type TermsRow = Pick<Catalog, 'version' | 'minLeadMinutes' | 'language'> &
  Catalog['hours'] &
  Catalog['terms']

type TenantId = string | Placeholder

const groupsOfTenant = ({ orm }: OrmConnection, tenantId: TenantId) =>
  orm
    .select({
      ...columnsOf(assetGroups, 'id', 'name', 'category', 'description', 'imageUrl', 'currency'),
      ...columnsOf(assetGroups, 'translations'),
    })
    .from(assetGroups)
    .where(and(eq(assetGroups.tenantId, tenantId), isNull(assetGroups.archivedAt)))
    .orderBy(asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id))

/**
 * Raw SQL, because Drizzle converts all rows at once; a tenant can have thousands of rates. Of rates
 * with the same dates, which imports reject, the one with the smaller `ref` has the price.
 */
const ratesOfTenant = `
select * from (
select distinct on (asset_group_id, valid_from, valid_to)
  asset_group_id as "groupId", id, name, valid_from::text as "validFrom",
  valid_to::text as "validTo", daily_minor as "dailyMinor", hourly_minor as "hourlyMinor",
  weekly_minor as "weeklyMinor", monthly_minor as "monthlyMinor", min_days as "minDays",
  nullif(translations, '{}') as translations
from rates where tenant_id = $1 and archived_at is null
order by asset_group_id, valid_from, valid_to, ref collate "C"
) of_different_dates
order by "validFrom" nulls first, name, id`

type RateRow = Pick<Rate, 'id' | 'name' | 'minDays' | 'validFrom' | 'validTo'> &
  Readonly<Record<'groupId' | 'dailyMinor', string>> &
  Readonly<Record<'hourlyMinor' | 'weeklyMinor' | 'monthlyMinor', string | null>> & {
    readonly translations: Translations | null
  }

const bigintOrNull = (value: string | null) => (value === null ? null : BigInt(value))

const rateOfRow = (row: RateRow, currency: string): Rate => ({
  id: row.id,
  name: row.name,
  minDays: row.minDays,
  validFrom: row.validFrom,
  validTo: row.validTo,
  currency,
  dailyMinor: BigInt(row.dailyMinor),
  hourlyMinor: bigintOrNull(row.hourlyMinor),
  weeklyMinor: bigintOrNull(row.weeklyMinor),
  monthlyMinor: bigintOrNull(row.monthlyMinor),
})

type TextsByLanguage = Map<string, Map<string, Texts>>

/** Moves the translations of a row to `byLanguage`. Most rows have none. */
function takeTranslations<
  Row extends { readonly id: string; readonly translations: Translations | null },
>({ translations, ...row }: Row, byLanguage: TextsByLanguage) {
  for (const [language, texts] of Object.entries(translations ?? {})) {
    const known = byLanguage.get(language) ?? new Map<string, Texts>()
    byLanguage.set(language, known.set(row.id, texts))
  }
  return row
}

/** Rates that are read and converted before other requests continue, in a few milliseconds. */
const ratesPerTick = 1_000

export const extrasOfTenant = ({ orm }: OrmConnection, tenantId: TenantId) =>
  orm
    .select({
      ...columnsOf(extras, 'id', 'name', 'category', 'description', 'pricing', 'currency'),
      ...columnsOf(extras, 'translations'),
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
      runNamed<RateRow>(database, 'rates_of_tenant', ratesOfTenant, [tenantId], ratesPerTick),
      findExtras.execute({ tenantId }),
    ])
    const { version, minLeadMinutes, language, openingHours, specialDays, ...terms } = tenant
    const hours = { openingHours, specialDays }
    const translations: TextsByLanguage = new Map()
    const groups = groupRows.map((row) => {
      return { ...takeTranslations(row, translations), rates: [] as Rate[] }
    })
    const groupsById = new Map(groups.map((group) => [group.id, group]))
    for (const [index, row] of rateRows.entries()) {
      // Rates of archived groups have no group here.
      const group = groupsById.get(row.groupId)
      group?.rates.push(rateOfRow(row, group.currency))
      if (row.translations !== null) takeTranslations(row, translations)
      if (index % ratesPerTick === ratesPerTick - 1) await setImmediate()
    }
    const offers = extraRows.map((row) => takeTranslations(row, translations))
    const extrasById = new Map(offers.map((extra) => [extra.id, extra]))
    const rowCount =
      (groupRows.length + rateRows.length + extraRows.length) * (1 + translations.size)
    const texts = { language, translations }
    const offered = { groups, groupsById, extrasById, rowCount }
    return { version, minLeadMinutes, hours, terms, ...texts, ...offered }
  }
}
