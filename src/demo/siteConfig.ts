import { eq } from 'drizzle-orm'
import { assetGroups, tenants } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { currencyDecimals, formatAmount } from '../domain/money.ts'

/** Nobody takes two roof racks; what may be taken more often has its own most. */
const quantityMaxByName: Readonly<Record<string, number>> = {
  'Child seat': 4,
  'Additional driver': 3,
}

/** How often the widget first asks what the staff have decided. */
const pollSeconds = 3

/**
 * What the API does not tell a website about its tenant, as it is now: for the widget, in the words
 * of the fleet file. Undefined when the group, by which the tenant is known, is gone.
 */
export async function siteConfig(
  { database, catalogs }: Pick<Deps, 'database' | 'catalogs'>,
  assetGroupId: string,
) {
  const [tenant] = await database.orm
    .select({ id: tenants.id, name: tenants.name })
    .from(tenants)
    .innerJoin(assetGroups, eq(assetGroups.tenantId, tenants.id))
    .where(eq(assetGroups.id, assetGroupId))
  if (tenant === undefined) return undefined
  const { terms, extrasById } = await catalogs.find(tenant.id)
  const extras = [...extrasById.values()].map(
    ({ id, name, pricing, currency, unitMinor, maxMinor }) => {
      const amount = (minor: bigint) => formatAmount(minor, currencyDecimals(currency))
      const maxPrice = maxMinor === null ? null : amount(maxMinor)
      const quantityMax = quantityMaxByName[name] ?? 1
      return { id, name, pricing, price: amount(unitMinor), maxPrice, quantityMax }
    },
  )
  return { shop: tenant.name, config: { ...terms, extras, pollSeconds } }
}
