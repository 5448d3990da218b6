import { minuteMs } from '../domain/units.ts'
import type { Deps } from '../http/chain/dependencies.ts'
import { runHousekeeping } from '../services/housekeeping.ts'

const everyMs = 10 * minuteMs

/** Keeps house at intervals, on one replica at a time, until told to stop, which waits for a run. */
export function startHousekeeping(deps: Pick<Deps, 'database' | 'log' | 'metrics'>) {
  const { database, log, metrics } = deps
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      const deleted = await runHousekeeping(database)
      for (const [chore, rows] of Object.entries(deleted)) metrics.deletedRows.inc({ chore }, rows)
      metrics.housekeepingRuns.inc({ result: 'done' })
      if (Object.values(deleted).some((rows) => rows > 0)) log.info(deleted, 'housekeeping done')
    } catch (error) {
      // The next run finds whatever this one has left.
      metrics.housekeepingRuns.inc({ result: 'failed' })
      log.warn({ err: error }, 'housekeeping failed')
    }
  }
  const timer = setInterval(() => {
    // One that takes longer than that is waited for, also in the end.
    running ??= run().finally(() => {
      running = undefined
    })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
