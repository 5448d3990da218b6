import type { Database } from '../db/client.ts'
import { findTenant, type Tenant, type TenantChange, updateTenant } from '../db/tenants.ts'
import { inTransaction } from '../db/transaction.ts'
import { Refusal } from './refusal.ts'

/**
 * The tenant with this slug.
 * @throws Refusal when there is none
 */
export async function tenantBySlug(database: Database, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug)
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

/**
 * Sets what is given of a tenant, and returns the tenant as it is then.
 * @throws Refusal when there is no such tenant
 */
export async function changeTenant(database: Database, slug: string, change: TenantChange) {
  const tenant = await inTransaction(database, (transaction) =>
    updateTenant(transaction, slug, change),
  )
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

function unknownTenant(slug: string): Refusal {
  return new Refusal(`There is no tenant "${slug}". List them with \`rental tenants list\`.`)
}
