import type { Database } from '../db/client.ts'
import { loadFleet, queueFleetImport } from '../db/fleet.ts'
import { inTransaction } from '../db/transaction.ts'
import type { StoredFleet } from '../fleet/rows.ts'
import { tenantBySlug } from './tenants.ts'

/**
 * A tenant's fleet as it is stored, never half of an import.
 * @throws Refusal for an unknown tenant
 */
export async function storedFleet(database: Database, slug: string): Promise<StoredFleet> {
  await tenantBySlug(database, slug)
  return inTransaction(database, async (transaction) => {
    await queueFleetImport(transaction, slug)
    return loadFleet(transaction, slug)
  })
}
