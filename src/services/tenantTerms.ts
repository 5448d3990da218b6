import type { Database, OrmConnection } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { loadFleet, lockFleetForImport } from '../db/queries/fleet/fleetRows.ts'
import {
  findTenant,
  listTenants,
  type Tenant,
  updateTenant,
} from '../db/queries/tenants/tenantRows.ts'
import { fleetOf, toColumns, toFileFormat } from '../fleet/columns.ts'
import type { FleetFile } from '../fleet/fleetFile.ts'
import { sameContent } from '../fleet/planList.ts'
import { OperatorError, UsageError } from './operatorError.ts'

/**
 * Returns the tenant with this slug.
 * @throws OperatorError for an unknown slug
 */
export async function tenantBySlug(database: OrmConnection, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug)
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

/**
 * Returns the given slug, or the slug of the only tenant.
 * @throws UsageError if there are several tenants; OperatorError if there is none
 */
export async function tenantOrOnly(database: OrmConnection, slug?: string): Promise<string> {
  if (slug !== undefined) return slug
  const slugs = (await listTenants(database)).map((tenant) => tenant.slug)
  const [only, ...others] = slugs
  if (only === undefined) {
    throw new OperatorError(
      'There is no tenant yet. Create one with `rental fleet import FILE`; for a workbook, also ' +
        'give its --tenant.',
    )
  }
  if (others.length === 0) return only
  throw new UsageError(
    `There are several tenants. Name one of them with --tenant:\n  ${slugs.join('\n  ')}`,
  )
}

/**
 * Waits for a running import of the tenant, and blocks new ones until this transaction ends.
 * @throws OperatorError after too long a wait; the transaction must then be rolled back
 */
export async function awaitImports(transaction: Transaction, slug: string): Promise<void> {
  if (await lockFleetForImport(transaction, slug)) return
  throw new OperatorError(`An import of "${slug}" is still running. Try again when it is done.`)
}

/** The account of a tenant, and its terms by their names in the fleet file. */
export type TenantSettings = Pick<Tenant, 'status' | 'subscription' | 'onlineBooking'> &
  Omit<FleetFile['tenant'], 'slug'>

/**
 * Changes settings of a tenant. `changed` is false if the tenant already has them.
 * @throws OperatorError for an unknown tenant, a currency or language in use, or when an import runs too long
 */
export function changeTenant(database: Database, slug: string, change: Partial<TenantSettings>) {
  return inTransaction(database, async (transaction) => {
    await awaitImports(transaction, slug)
    const before = await tenantBySlug(transaction, slug)
    const settings = toColumns.tenant({ slug, ...toFileFormat.tenant(before), ...change })
    const { status, subscription, onlineBooking } = { ...before, ...change }
    const tenant = { ...before, ...settings, status, subscription, onlineBooking }
    if (tenant.currency !== before.currency) await assertUnpriced(transaction, before)
    if (tenant.language !== before.language) await assertUntranslated(transaction, tenant)
    const changed = !sameContent(before, tenant)
    if (changed) await updateTenant(transaction, before, tenant)
    return { tenant, changed }
  })
}

/** Rejects a change of the currency while there are prices in it, which only an import can change. */
async function assertUnpriced(transaction: Transaction, { slug, currency }: Tenant) {
  const fleet = fleetOf(slug, await loadFleet(transaction, slug), toFileFormat.blocks)
  const priced = [...fleet.assetGroups.filter(({ rates }) => rates.length > 0), ...fleet.extras]
  const refs = priced.filter((one) => one.currency === currency).map(({ ref }) => ref)
  if (refs.length === 0) return
  throw new OperatorError(
    `The currency of "${slug}" cannot be changed while there are prices in ${currency}: ` +
      `${refs.join(', ')}. Import a fleet file with the new currency and prices instead.`,
  )
}

/** Rejects a language of the tenant that is also the language of translations. */
async function assertUntranslated(transaction: Transaction, { slug, language }: Tenant) {
  const { tenant, groups, rates, extras } = await loadFleet(transaction, slug)
  const isTranslated = [...groups, ...rates, ...extras, ...(tenant ? [tenant] : [])].some(
    ({ archived, content }) => !archived && Object.hasOwn(content.translations, language),
  )
  if (!isTranslated) return
  throw new OperatorError(
    `"${slug}" has translations into ${language}. To make it the tenant's own language, import a ` +
      'fleet file with that language, whose texts in it are not translations.',
  )
}

function unknownTenant(slug: string): OperatorError {
  return new OperatorError(`There is no tenant "${slug}". List them with \`rental tenants list\`.`)
}
