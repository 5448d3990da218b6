import type { Database } from '../db/client.ts'
import { deleteExpiredQuotes, deleteIdempotencyRecords } from '../db/maintain.ts'

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
}

/** Deletes what retention no longer keeps, in batches of their own transactions. Safe at any time. */
export async function maintain(database: Database): Promise<Maintenance> {
  return {
    idempotencyRecords: await inBatches(() =>
      deleteIdempotencyRecords(database, { olderThanHours: idempotencyHours, rowsMax: batchRows }),
    ),
    quotes: await inBatches(() =>
      deleteExpiredQuotes(database, { expiredDays: expiredQuoteDays, rowsMax: batchRows }),
    ),
  }
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await deleteBatch()
    total += deleted
    if (deleted < batchRows) return total
  }
}
