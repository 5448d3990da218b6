import type { Database } from '../db/connection/database.ts'
import { extrasOfTenant } from '../db/queries/catalog/loadCatalog.ts'
import { formatMoney, formatMoneyOrNull } from '../domain/money.ts'
import { toFileFormat } from '../fleet/columns.ts'
import { withoutInternal } from '../fleet/fields.ts'
import { tenantBySlug } from './tenantTerms.ts'

/**
 * Returns the tenant's terms and extras, which the API does not serve, in the shape of the widget's
 * `config`.
 * @throws OperatorError for an unknown tenant
 */
export async function readSiteConfig(database: Database, slug: string) {
  const tenant = await tenantBySlug(database, slug)
  const { timezone: timeZone, ...terms } = withoutInternal(toFileFormat.tenant(tenant))
  const extras = await extrasOfTenant(database, tenant.id)
  return {
    ...terms,
    timeZone,
    extras: extras.map(({ unitMinor, maxMinor, ...extra }) => ({
      ...extra,
      price: formatMoney(unitMinor, extra.currency),
      maxPrice: formatMoneyOrNull(maxMinor, extra.currency),
    })),
  }
}
