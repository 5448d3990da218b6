import { drizzle } from 'drizzle-orm/node-postgres'
import type { Database, OrmConnection, StatementRunner } from './database.ts'

/** A transaction's connection, for Drizzle and for hand-written statements alike. */
export type Transaction = OrmConnection & StatementRunner

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. It is READ
 * COMMITTED, or who waited for a lock would not see what its owner wrote (decision 325). A connection
 * that can't even be rolled back is not given back to the pool.
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
 * Runs statements one by one on one connection, each its own transaction. PostgreSQL reports an
 * error before it releases the locks. A retry must not meet them, so it uses the same connection,
 * which is ended after a failure.
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
