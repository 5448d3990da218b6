import { minuteMs } from '../domain/units.ts'
import { runHousekeeping } from '../services/housekeeping.ts'
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
