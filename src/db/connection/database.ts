import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type Pipeline, pipelineOn } from './pipeline.ts'
import {
  checkTimeouts,
  connectionSettings,
  operatorTimeouts,
  type Timeouts,
  withOptions,
} from './timeouts.ts'

/** Whatever runs hand-written statements: a database, or the one connection of a transaction. */
export interface StatementRunner {
  readonly pool: Pick<Pipeline, 'query'>
  readonly preparedStatements: boolean
}

/** The database as services see it: Drizzle, and its pool for the few hand-written statements. */
export interface Database {
  readonly orm: NodePgDatabase
  readonly pool: pg.Pool
  /** Apart from the pool: says whether the database answers even when that is busy. */
  readonly checkPool: pg.Pool
  /** For single reads of callers: on few connections apart from the pool (decision 336). */
  readonly reads: StatementRunner
  readonly pipeline: Pipeline
  /** Off behind poolers that can't carry named statements (`PREPARED_STATEMENTS=off`). */
  readonly preparedStatements: boolean
}

/** A database or a transaction, for statements that Drizzle builds. */
export type OrmConnection = Pick<Database, 'orm'>

interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  readonly preparedStatements: boolean
  /** By default those of an operator's commands. */
  readonly timeouts?: Timeouts
  /** `byIndex`, for requests: no sequential scans; by default PostgreSQL plans freely. */
  readonly plans?: 'byIndex'
  /** Told of each connection that is lost, once; the pool replaces it by itself. */
  readonly onConnectionLost: (error: Error) => void
}

/** Two, so that one slow answer does not hold up every other. */
const pipelinedConnections = 2

/** Opens a pool on `options.url`. Connects lazily; `closeDatabase` ends it. */
export function openDatabase(options: DatabaseOptions): Database {
  const { preparedStatements, timeouts = operatorTimeouts } = options
  const pool = openPool(options, options.poolMax, timeouts)
  const checkPool = openPool(options, 1, { ...timeouts, ...checkTimeouts })
  const pipeline = pipelineOn(openPool(options, pipelinedConnections, timeouts, { pipeline: true }))
  // Not every pooler takes a statement before the last one was answered.
  const reads = { pool: preparedStatements ? pipeline : pool, preparedStatements }
  return { orm: drizzle({ client: pool }), pool, checkPool, reads, pipeline, preparedStatements }
}

function openPool(
  options: DatabaseOptions,
  max: number,
  timeouts: Timeouts,
  more: pg.PoolConfig = {},
): pg.Pool {
  const settings = connectionSettings(timeouts, options.preparedStatements, options.plans)
  const pool = new pg.Pool({
    ...more,
    connectionString: withOptions(options.url, settings.options),
    max,
    application_name: 'rental-booking-api',
    ...settings,
  })
  const lost = (error: Error) => {
    // A server that stops meanwhile ends connections first: nothing was lost.
    if (!pool.ending) options.onConnectionLost(error)
  }
  // Without listeners of their own a pool and a client that lose their server end the process. Both
  // are told, and a client often twice.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.once('error', lost).on('error', () => {}))
  return pool
}

export async function closeDatabase({ pool, checkPool, pipeline }: Database): Promise<void> {
  await Promise.all([pool.end(), checkPool.end(), pipeline.close()])
}
