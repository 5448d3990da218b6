import { extrasOfTenant } from '../db/catalog.ts'
import type { Database } from '../db/client.ts'
import { formatMoney } from '../domain/money.ts'
import { formatPercent, parsePercent } from '../domain/tax.ts'
import { tenantBySlug } from './tenants.ts'

/** What a website has to know of its tenant: see `siteConfig`. */
export type SiteConfig = Awaited<ReturnType<typeof siteConfig>>

/**
 * What the API does not tell a website about a tenant, as it is now: its terms and extras, in the
 * shape of the widget's `config` (decision 410).
 * @throws Refusal for an unknown tenant
 */
export async function siteConfig(database: Database, slug: string) {
  const tenant = await tenantBySlug(database, slug)
  const { name, currency, pricesIncludeTax, gracePeriodMinutes, seasons } = tenant
  const extras = await extrasOfTenant(database, tenant.id)
  return {
    ...{ name, timeZone: tenant.timeZone, currency },
    taxPercent: formatPercent(parsePercent(tenant.taxPercent)),
    ...{ pricesIncludeTax, gracePeriodMinutes, seasons },
    extras: extras.map(({ unitMinor, maxMinor, ...extra }) => {
      const { currency } = extra
      const maxPrice = maxMinor === null ? null : formatMoney(maxMinor, currency)
      return { ...extra, price: formatMoney(unitMinor, currency), maxPrice }
    }),
  }
}
