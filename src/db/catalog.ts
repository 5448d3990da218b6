import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { boolean, integer, numeric, pgView, text, uuid } from 'drizzle-orm/pg-core'
import type { Catalog } from '../domain/catalog.ts'
import type { Rate } from '../domain/rates.ts'
import { seasonsChoices } from '../domain/stretches.ts'
import type { Database } from './client.ts'
import { assetGroups, extras, rates } from './schema.ts'
import { columnsOf, statement } from './statement.ts'

/** The terms of each tenant's prices, and the version of all it offers (sql/catalogs.sql). */
const catalogs = pgView('catalogs', {
  tenantId: uuid('tenant_id').notNull(),
  version: text('version').notNull(),
  timeZone: text('timezone').notNull(),
  taxPercent: numeric('tax_percent').notNull(),
  pricesIncludeTax: boolean('prices_include_tax').notNull(),
  gracePeriodMinutes: integer('grace_period_minutes').notNull(),
  minLeadMinutes: integer('min_lead_minutes'),
  seasons: text('seasons', { enum: seasonsChoices }).notNull(),
}).existing()

const termsOfTenant = statement('catalog_version', (orm) =>
  orm
    .select({
      version: catalogs.version,
      terms: {
        timeZone: catalogs.timeZone,
        taxPercent: catalogs.taxPercent,
        pricesIncludeTax: catalogs.pricesIncludeTax,
        gracePeriodMinutes: catalogs.gracePeriodMinutes,
        seasons: catalogs.seasons,
      },
      minLeadMinutes: catalogs.minLeadMinutes,
    })
    .from(catalogs)
    .where(eq(catalogs.tenantId, sql.placeholder('tenantId'))),
)

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
      ...columnsOf(
        rates,
        'id',
        'name',
        'dailyMinor',
        'hourlyMinor',
        'weeklyMinor',
        'monthlyMinor',
        'validFrom',
        'validTo',
      ),
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
  const [tenant] = await termsOfTenant(database).execute({ tenantId })
  if (tenant === undefined) return undefined
  if (tenant.version === outdated?.version) return outdated
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
    ...tenant,
    groups,
    groupsById,
    extrasById: new Map(extraRows.map((extra) => [extra.id, extra])),
    rowCount: groupRows.length + rateRows.length + extraRows.length,
  }
}
