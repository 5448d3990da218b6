import type { Database } from '../../src/db/connection/database.ts'
import * as housekeeping from '../../src/lifecycle/housekeeping.ts'
import { createLog } from '../../src/telemetry/log.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'

/** Runs housekeeping once, with the default settings. */
export const runHousekeeping = (database: Database) => housekeeping.runHousekeeping(database)

/** Starts housekeeping with the default settings. `logged` returns level and message of each line. */
export function startHousekeeping(database: Database, metrics: Metrics) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const logged = () => lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg])
  return { stop: housekeeping.startHousekeeping({ database, metrics, log }), logged }
}
