import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { type Chore, chores, deletePastRetention } from '../db/operatorQueries/housekeeping.ts'

/** Small, so that the transaction of a batch does not block requests. */
const batchRows = 1_000

/**
 * Deletes rows past their retention, in batches, and returns the number deleted by each job. Several
 * replicas can run it at once.
 * @throws Error the first error, after all jobs have run
 */
export async function runHousekeeping(
  database: Database,
): Promise<Readonly<Record<Chore, number>>> {
  const deleted = {} as Record<Chore, number>
  const failures: unknown[] = []
  for (const chore of chores) {
    try {
      deleted[chore] = await deleteAll(database, chore)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return deleted
}

async function deleteAll(database: Database, chore: Chore): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await inTransaction(database, (transaction) =>
      deletePastRetention(transaction, chore, batchRows),
    )
    total += deleted
    if (deleted < batchRows) return total
  }
}
