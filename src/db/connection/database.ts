import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type FairShares, fairShares } from './fairShares.ts'
import { type Pipeline, pipelineOn } from './pipeline.ts'
import {
  checkTimeouts,
  connectionSettings,
  operatorTimeouts,
  type Timeouts,
  withOptions,
} from './timeouts.ts'

/** A runner of raw SQL: the connection pool, or the connection of a transaction. */
export interface StatementRunner {
  readonly pool: Pick<Pipeline, 'query'>
  readonly preparedStatements: boolean
}

/** The database that services use: Drizzle, and connection pools for raw SQL. */
export interface Database {
  readonly orm: NodePgDatabase
  readonly pool: pg.Pool
  /** Separate from `pool`, so that readiness checks work while `pool` is exhausted. */
  readonly checkPool: pg.Pool
  /** For short reads; pipelined where possible, so that they take no connection of `pool`. */
  readonly reads: StatementRunner
  /**
   * Limits the connections of `pool` that each API key or tenant uses for what may take long: large
   * counts, and bookings and quotes, which may wait for locks.
   */
  readonly shares: FairShares
  readonly pipeline: Pipeline
  /** False behind poolers without named statements (`PREPARED_STATEMENTS=off`). */
  readonly preparedStatements: boolean
}

/** A database or a transaction, for statements built with Drizzle. */
export type OrmConnection = Pick<Database, 'orm'>

interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  readonly preparedStatements: boolean
  /** Default: `operatorTimeouts`. */
  readonly timeouts?: Timeouts
  /** `byIndex`, for requests, turns sequential scans off. By default PostgreSQL chooses. */
  readonly plans?: 'byIndex'
  /** Called once for each lost connection. The pool replaces the connection by itself. */
  readonly onConnectionLost: (error: Error) => void
}

/** Two, so that one slow statement does not block all other reads. */
const readConnections = 2

/** Opens the pools for `options.url`. They connect on first use; `closeDatabase` closes them. */
export function openDatabase(options: DatabaseOptions): Database {
  const { preparedStatements, timeouts = operatorTimeouts } = options
  const pool = openPool(options, options.poolMax, timeouts)
  const checkPool = openPool(options, 1, { ...timeouts, ...checkTimeouts })
  const pipeline = pipelineOn(
    openPool(options, readConnections, { ...timeouts, queryMs: 0 }, { pipeline: true }),
    timeouts.queryMs,
  )
  // Some poolers do not support pipelined statements.
  const reads = { pool: preparedStatements ? pipeline : pool, preparedStatements }
  const shares = fairShares({
    total: options.poolMax,
    perKey: Math.ceil(options.poolMax / 3),
    waitMs: timeouts.shareMs,
  })
  const pools = { pool, checkPool, pipeline }
  return { orm: drizzle({ client: pool }), ...pools, reads, shares, preparedStatements }
}

function openPool(
  options: DatabaseOptions,
  max: number,
  timeouts: Timeouts,
  extra: pg.PoolConfig = {},
): pg.Pool {
  const settings = connectionSettings(timeouts, options.preparedStatements, options.plans)
  const pool = new pg.Pool({
    ...extra,
    connectionString: withOptions(options.url, settings.options),
    max,
    application_name: 'rental-booking-api',
    ...settings,
  })
  const reportLost = (error: Error) => {
    // PostgreSQL may close connections while the pool closes; those are not lost.
    if (!pool.ending) options.onConnectionLost(error)
  }
  // Without error listeners on both, a lost connection ends the process. The pool and the client
  // both emit the error, the client often twice.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.once('error', reportLost).on('error', () => {}))
  return pool
}

/** Closes all connections, each after the statements it is running. */
export async function closeDatabase(database: Database): Promise<void> {
  const { pool, checkPool, pipeline } = database
  await Promise.all([pool.end(), checkPool.end(), pipeline.close()])
}
