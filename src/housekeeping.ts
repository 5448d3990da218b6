import type { Deps } from './deps.ts'
import { maintain } from './services/maintain.ts'

const everyMs = 10 * 60_000

/** Keeps house at intervals (decision 36), on one replica at a time. `stop` waits for a run under way. */
export function startHousekeeping({ database, log }: Pick<Deps, 'database' | 'log'>): {
  stop(): Promise<void>
} {
  let running: Promise<void> = Promise.resolve()
  const keepHouse = async () => {
    try {
      const deleted = await maintain(database)
      if (deleted.idempotencyRecords + deleted.quotes > 0) log.info(deleted, 'kept house')
    } catch (error) {
      // The next round finds whatever this one has left.
      log.warn({ err: error }, 'housekeeping failed')
    }
  }
  const timer = setInterval(() => {
    running = keepHouse()
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
