import type pg from 'pg'
import {
  distributeFunction,
  distributeTable,
  isDistributed,
  repeatGrants,
} from '../distribution/distribution.ts'
import type { PendingMigration } from './pendingMigrations.ts'

/**
 * Requests queue behind a migration that waits for a lock. Keep this below the lock_timeout of
 * requests (1.5 s), and below deadlock_timeout (1 s), after which PostgreSQL could cancel a
 * request.
 */
const lockTimeoutMs = 500

/** Applies one migration in a transaction and records it in drizzle-kit's table. */
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

/** Runs `work` in a transaction on `client`, and rolls back when `work` throws. */
export async function inOneTransaction(client: pg.Client, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    // Fails on a lost connection, where PostgreSQL rolls back by itself.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Distributes a created object before the next statement adds foreign keys to it. */
async function place(client: pg.Client, statement: string): Promise<void> {
  const [, table] = /^create table (?:if not exists )?"?(\w+)"?/im.exec(statement) ?? []
  const [, name] = /^create (?:or replace )?function (\w+)/im.exec(statement) ?? []
  const [, view] = /^create (?:or replace )?view "?(\w+)"?/im.exec(statement) ?? []
  if (table !== undefined) await distributeTable(client, table)
  if (name !== undefined) await distributeFunction(client, name)
  if (view !== undefined) await repeatGrants(client, view)
}

const recordTable = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint
  )`
