import type { Database } from '../db/client.ts'
import { type Chore, deletePastRetention } from '../db/housekeeping.ts'
import { inTransaction } from '../db/transaction.ts'

/** Small enough that nobody waits for a batch. */
const batchRows = 1_000

/**
 * Deletes what retention no longer keeps, in batches of their own transactions, and returns how
 * many rows that were. Safe at any time: of several that run at once one does each chore.
 */
export async function keepHouse(database: Database): Promise<Readonly<Record<Chore, number>>> {
  return {
    idempotencyRecords: await deleteAll(database, 'idempotencyRecords'),
    quotes: await deleteAll(database, 'quotes'),
    bookingEvents: await deleteAll(database, 'bookingEvents'),
    bookingFeedEntries: await deleteAll(database, 'bookingFeedEntries'),
  }
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
