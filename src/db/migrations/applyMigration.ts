import type pg from 'pg'
import {
  distributeFunction,
  distributeTable,
  grantsOf,
  isDistributed,
} from '../distribution/distribution.ts'
import type { Migration } from './release.ts'

/**
 * Requests queue behind a migration that waits for a lock. Keep this below the lock_timeout of
 * requests (1.5 s), and below deadlock_timeout (1 s), after which PostgreSQL could cancel a
 * request.
 */
const lockTimeoutMs = 500

/** Applies one migration of the release `version` in a transaction, and records it. */
export async function applyMigration(
  client: pg.Client,
  { tag, sql, hash, when }: Migration,
  version: string,
): Promise<void> {
  return inOneTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    const distributed = await isDistributed(client)
    for (const statement of sql.split('--> statement-breakpoint')) {
      const [, view] = /^create (?:or replace )?view "?(\w+)"?/im.exec(statement) ?? []
      if (view === undefined) await client.query(statement)
      else await replaceView(client, view, statement, distributed)
      if (distributed) await place(client, statement)
    }
    await client.query(recordTable)
    await client.query(
      `insert into drizzle.__drizzle_migrations (tag, hash, created_at, release)
       values ($1, $2, $3, $4)`,
      [tag, hash, when, version],
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

/** Creates a view with the grants of the one it replaces, which may have more columns. */
async function replaceView(client: pg.Client, view: string, sql: string, distributed: boolean) {
  const grants = await grantsOf(client, view)
  await client.query(`drop view if exists ${view}`)
  await client.query(sql)
  await client.query(grants)
  // Citus creates the view on the workers without the default privileges.
  if (distributed) await client.query(await grantsOf(client, view))
}

/** Distributes a created object before the next statement adds foreign keys to it. */
async function place(client: pg.Client, statement: string): Promise<void> {
  const [, table] = /^create table (?:if not exists )?"?(\w+)"?/im.exec(statement) ?? []
  const [, name] = /^create (?:or replace )?function (\w+)/im.exec(statement) ?? []
  if (table !== undefined) await distributeTable(client, table)
  if (name !== undefined) await distributeFunction(client, name)
}

/** The table of drizzle-kit, with the file and the release of each row. */
const recordTable = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint,
    tag text not null, release text not null
  )`
