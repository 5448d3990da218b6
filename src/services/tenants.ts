import type { Database, OrmConnection } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { lockFleetForImport } from '../db/operatorQueries/fleet.ts'
import {
  findTenant,
  listTenants,
  type Tenant,
  type TenantChange,
  updateTenant,
} from '../db/operatorQueries/tenants.ts'
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
      'There is no tenant yet. Create one with `rental fleet import FILE`; for a spreadsheet, also ' +
        'give its --tenant, --name, --timezone, --currency and --tax.',
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

/**
 * Changes some fields of a tenant, and returns the changed tenant.
 * @throws OperatorError for an unknown tenant, or when an import runs for too long
 */
export async function changeTenant(database: Database, slug: string, change: TenantChange) {
  const tenant = await inTransaction(database, async (transaction) => {
    await awaitImports(transaction, slug)
    return updateTenant(transaction, slug, change)
  })
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

function unknownTenant(slug: string): OperatorError {
  return new OperatorError(`There is no tenant "${slug}". List them with \`rental tenants list\`.`)
}
