import { waitFor } from './waitFor.ts'

/** The FROM and WHERE clauses of a query for the sessions that wait for a lock in the same database. */
export const lockWaiters = `from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

interface Connection {
  query(text: string): Promise<{ readonly rowCount: number | null }>
}

/** Resolves when exactly `count` sessions wait for a lock. */
export const lockWaits = (connection: Connection, count = 1) =>
  waitFor(async () => (await connection.query(`select ${lockWaiters}`)).rowCount === count)
