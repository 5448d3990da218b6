import { drizzle } from 'drizzle-orm/node-postgres'
import type { Database, OrmConnection, StatementRunner } from './database.ts'

/** The connection of a transaction, for Drizzle and for raw SQL. */
export type Transaction = OrmConnection & StatementRunner

/**
 * Runs `work` in one transaction, committed when `work` resolves and rolled back when it throws.
 * READ COMMITTED is required: after waiting for a lock, a statement must see the writes of the
 * transaction that held the lock.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect()
  let broken = false
  try {
    await client.query('begin isolation level read committed')
    const { preparedStatements } = database
    const result = await work({ orm: drizzle({ client }), pool: client, preparedStatements })
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back must not return to the pool.
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Runs `work` on one connection, each statement in its own transaction. Retry on that connection:
 * PostgreSQL reports an error before it releases the locks, so a retry on another connection could
 * find them still held.
 */
export async function onOneConnection<T>(
  { pool, preparedStatements }: Database,
  work: (connection: StatementRunner) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failed = true
  try {
    const result = await work({ pool: client, preparedStatements })
    failed = false
    return result
  } finally {
    client.release(failed)
  }
}
