import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { type Chore, chores, deletePastRetention } from '../db/operatorQueries/housekeeping.ts'

/** Small enough that nobody waits for a batch. */
const batchRows = 1_000

/**
 * Deletes what retention no longer keeps, in batches of their own transactions, and returns how
 * many rows that were. Safe at any time: of several that run at once one does each chore.
 * @throws the first failure, when every chore has been tried: one that always fails stops no other
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
