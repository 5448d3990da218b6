import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  deletePastRetention,
  type HousekeepingJob,
  housekeepingJobs,
} from '../db/queries/maintenance/retention.ts'

/** Small, so that the transaction of a batch does not block requests. */
const batchRows = 1_000

/**
 * Deletes rows past their retention, in batches, and returns the number deleted by each job. Several
 * replicas can run it at once.
 * @throws Error the first error, after all jobs have run
 */
export async function runHousekeeping(
  database: Database,
): Promise<Readonly<Record<HousekeepingJob, number>>> {
  const deleted = {} as Record<HousekeepingJob, number>
  const failures: unknown[] = []
  for (const job of housekeepingJobs) {
    try {
      deleted[job] = await deleteAll(database, job)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return deleted
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
