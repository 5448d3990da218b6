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

/** @throws OperatorError when no tenant has this slug */
export async function tenantBySlug(database: OrmConnection, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug)
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

/**
 * The slug that was given, or that of the only tenant there is.
 * @throws UsageError listing the tenants where there are several, OperatorError where there is none
 */
export async function tenantOrOnly(database: OrmConnection, slug?: string): Promise<string> {
  if (slug !== undefined) return slug
  const slugs = (await listTenants(database)).map((tenant) => tenant.slug)
  const [only, ...others] = slugs
  if (only === undefined) {
    throw new OperatorError('There is no tenant yet. Create one with `rental fleet import FILE`.')
  }
  if (others.length === 0) return only
  throw new UsageError(
    `There are several tenants. Name one of them with --tenant:\n  ${slugs.join('\n  ')}`,
  )
}

/**
 * Waits until no import of the tenant is under way, and lets none begin before this transaction ends.
 * @throws OperatorError when that took too long; the transaction can only be rolled back then
 */
export async function awaitImports(transaction: Transaction, slug: string): Promise<void> {
  if (await lockFleetForImport(transaction, slug)) return
  throw new OperatorError(`An import of "${slug}" is still running. Try again when it is done.`)
}

/**
 * Sets what is given of a tenant, and returns the tenant as it is then.
 * @throws OperatorError when there is no such tenant, or when it waited too long for an import of it
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
