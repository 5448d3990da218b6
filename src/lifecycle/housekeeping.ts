import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  deletePastRetention,
  type HousekeepingJob,
  housekeepingJobs,
} from '../db/queries/maintenance/retention.ts'
import { minuteMs } from '../domain/units.ts'
import { erasePastCustomers } from '../services/bookings/eraseCustomer.ts'
import type { Deps } from './openDependencies.ts'

const intervalMs = 10 * minuteMs

/** Runs housekeeping every ten minutes. The returned function stops it after the current run. */
export function startHousekeeping(deps: Pick<Deps, 'database' | 'log' | 'metrics'>) {
  const { database, log, metrics } = deps
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      const counts = await runHousekeeping(database)
      for (const [chore, rows] of Object.entries(counts)) metrics.deletedRows.inc({ chore }, rows)
      metrics.housekeepingRuns.inc({ result: 'done' })
      if (Object.values(counts).some((rows) => rows > 0)) log.info(counts, 'housekeeping done')
    } catch (error) {
      metrics.housekeepingRuns.inc({ result: 'failed' })
      log.warn({ err: error }, 'housekeeping failed')
    }
  }
  const timer = setInterval(() => {
    // Runs must not overlap.
    running ??= run().finally(() => {
      running = undefined
    })
  }, intervalMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

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
