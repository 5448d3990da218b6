import type pg from 'pg'
import {
  isDistributed,
  placeFunction,
  placeTable,
  placeView,
} from '../distribution/distribution.ts'
import type { PendingMigration } from './pendingMigrations.ts'

/**
 * Callers wait behind a lock that a migration waits for. Shorter than their own lock_timeout of 1.5 s,
 * and than the second after which PostgreSQL looks for a deadlock and would end a caller.
 */
const lockTimeoutMs = 500

/** Applies one migration in a transaction and records it where drizzle-kit looks, too. */
export async function applyMigration(
  client: pg.Client,
  { sql, hash, when }: PendingMigration,
): Promise<void> {
  return inOneTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    const distributed = await isDistributed(client)
    for (const statement of sql.split('--> statement-breakpoint')) {
      await client.query(statement)
      if (distributed) await place(client, statement)
    }
    await client.query(recordTable)
    await client.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
      [hash, when],
    )
  })
}

export async function inOneTransaction(client: pg.Client, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    // A connection that is lost has rolled back already.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Before the next statement: only a table that is where it belongs can be given foreign keys. */
async function place(client: pg.Client, statement: string): Promise<void> {
  const [, table] = /^create table (?:if not exists )?"?(\w+)"?/im.exec(statement) ?? []
  const [, name] = /^create (?:or replace )?function (\w+)/im.exec(statement) ?? []
  const [, view] = /^create (?:or replace )?view "?(\w+)"?/im.exec(statement) ?? []
  if (table !== undefined) await placeTable(client, table)
  if (name !== undefined) await placeFunction(client, name)
  if (view !== undefined) await placeView(client, view)
}

const recordTable = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint
  )`
