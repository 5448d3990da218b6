import type { Database } from '../db/client.ts'
import {
  type Chore,
  deleteExpiredQuotes,
  deleteIdempotencyRecords,
  deleteOldEvents,
  eventYears,
  takeChore,
} from '../db/maintain.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'

/** Decision 36: at least 24 hours. */
const idempotencyHours = 24
/** Long enough to look into what a customer asks about an offer that ran out. */
const expiredQuoteDays = 7
/** Small enough that nobody waits for a batch. */
const batchRows = 1_000

/** How many rows were deleted. */
export interface Maintenance {
  readonly idempotencyRecords: number
  readonly quotes: number
  readonly bookingEvents: number
}

/**
 * Deletes what retention no longer keeps, in batches of their own transactions. Safe at any time:
 * of several that run at once one does each chore, and the others leave it to that one.
 */
export async function maintain(database: Database): Promise<Maintenance> {
  return {
    idempotencyRecords: await inBatches(database, 'idempotencyRecords', (transaction) =>
      deleteIdempotencyRecords(transaction, {
        olderThanHours: idempotencyHours,
        rowsMax: batchRows,
      }),
    ),
    quotes: await inBatches(database, 'quotes', (transaction) =>
      deleteExpiredQuotes(transaction, { expiredDays: expiredQuoteDays, rowsMax: batchRows }),
    ),
    bookingEvents: await inBatches(database, 'bookingEvents', (transaction) =>
      deleteOldEvents(transaction, { olderThanYears: eventYears, rowsMax: batchRows }),
    ),
  }
}

async function inBatches(
  database: Database,
  chore: Chore,
  deleteBatch: (transaction: Transaction) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await inTransaction(database, async (transaction) =>
      (await takeChore(transaction, chore)) ? deleteBatch(transaction) : 0,
    )
    total += deleted
    if (deleted < batchRows) return total
  }
}
