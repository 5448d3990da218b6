import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** The database as the services see it: Drizzle, and its pool for the few hand-written statements. */
export interface Database {
  readonly orm: NodePgDatabase
  readonly pool: pg.Pool
  /** Off behind poolers that can't carry named statements (`PREPARED_STATEMENTS=off`). */
  readonly preparedStatements: boolean
}

export interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  readonly preparedStatements: boolean
  /** How long one statement may take; a request's patience unless told otherwise. */
  readonly statementTimeoutMs?: number
  /** Told of connections lost while idle; the pool replaces them by itself. */
  readonly onConnectionLost: (error: Error) => void
}

/**
 * Every wait has an end: the server's own timeouts, and the client's for a server that no longer
 * answers. The client's query timeout is the longest, so that the server gets to speak first.
 */
const timeouts = {
  connectionTimeoutMillis: 2_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
} as const
const requestStatementTimeoutMs = 5_000
const lateAnswerMs = 3_000

/** Opens a pool on `options.url`. Connects lazily; `closeDatabase` ends it. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = requestStatementTimeoutMs } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: 'rental-booking-api',
    keepAlive: true,
    ...timeouts,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + lateAnswerMs,
  })
  pool.on('error', options.onConnectionLost)
  // Without a listener of its own a checked-out client that loses its server ends the process.
  pool.on('connect', (client) => client.on('error', options.onConnectionLost))
  return { orm: drizzle({ client: pool }), pool, preparedStatements: options.preparedStatements }
}

/** Waits for running queries and closes every connection. */
export async function closeDatabase(database: Database): Promise<void> {
  await database.pool.end()
}
