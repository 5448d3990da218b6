import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  deletePastRetention,
  type HousekeepingJob,
  housekeepingJobs,
} from '../db/queries/maintenance/retention.ts'
import { erasePastCustomers } from './bookings/eraseCustomer.ts'

/** Small, so that the transaction of a batch does not block requests. */
const batchRows = 1_000

/**
 * Deletes rows and erases customers past their retention, in batches, and returns the number of rows
 * of each job. Several replicas can run it at once.
 * @throws Error the first error, after all jobs have run
 */
export async function runHousekeeping(
  database: Database,
): Promise<Readonly<Record<HousekeepingJob | 'erasedBookings', number>>> {
  const counts = {} as Record<HousekeepingJob | 'erasedBookings', number>
  const failures: unknown[] = []
  const count = async (job: keyof typeof counts, rows: Promise<number>) => {
    try {
      counts[job] = await rows
    } catch (error) {
      failures.push(error)
    }
  }
  for (const job of housekeepingJobs) await count(job, deleteAll(database, job))
  await count('erasedBookings', erasePastCustomers(database, batchRows))
  if (failures.length > 0) throw failures[0]
  return counts
}

async function deleteAll(database: Database, job: HousekeepingJob): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await inTransaction(database, (transaction) =>
      deletePastRetention(transaction, job, batchRows),
    )
    total += deleted
    if (deleted < batchRows) return total
  }
}
