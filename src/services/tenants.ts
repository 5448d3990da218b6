import type { Database } from '../db/client.ts'
import { type AccountChange, findTenant, type Tenant, updateAccount } from '../db/tenants.ts'
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
 * Sets what decides whether a tenant's keys are served, and returns the tenant as it is then.
 * @throws Refusal when there is no such tenant
 */
export async function setAccount(
  database: Database,
  slug: string,
  change: AccountChange,
): Promise<Tenant> {
  const tenant = await inTransaction(database, (transaction) =>
    updateAccount(transaction, slug, change),
  )
  if (tenant === undefined) throw unknownTenant(slug)
  return tenant
}

function unknownTenant(slug: string): Refusal {
  return new Refusal(`There is no tenant "${slug}". List them with \`rental tenants list\`.`)
}
