import { hash } from 'node:crypto'
import type pg from 'pg'
import { isDistributed, placeFunction, placeTable, placeView } from './distribution.ts'
import type { PendingMigration } from './pendingMigrations.ts'

/** The first line of a migration whose statements build indexes while others write. */
const outsideTransaction = /^-- outside a transaction\b/
const concurrentIndex = /create (?:unique )?index concurrently if not exists "(\w+)"/gi

/**
 * For all locks of a migration: callers wait behind them. Shorter than their own lock_timeout of
 * 1.5 s, and than the second after which PostgreSQL looks for a deadlock and would end the caller.
 */
const transactionMs = 500

/**
 * Applies one migration and records it, where drizzle-kit looks for it, too. A lock that nobody waits
 * behind is waited for as long as `longestWaitMs`.
 */
export async function applyMigration(
  client: pg.Client,
  { sql, when }: PendingMigration,
  longestWaitMs: number,
): Promise<void> {
  const alone = outsideTransaction.test(sql)
  await client.query(`set lock_timeout = ${longestWaitMs}`)
  const apply = async () => {
    const startedMs = performance.now()
    // What is locked already stays so while the next is waited for: callers stand behind all of it.
    const waitsMs = () => Math.max(1, Math.ceil(startedMs + transactionMs - performance.now()))
    const distributed = await isDistributed(client)
    for (const statement of sql.split('--> statement-breakpoint')) {
      if (!alone) await client.query(`set local lock_timeout = ${waitsMs()}`)
      await client.query(statement)
      if (distributed) await place(client, statement)
    }
    await client.query(recordTable)
    await client.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
      [hash('sha256', sql), when],
    )
  }
  if (!alone) return inOneTransaction(client, apply)
  await dropInvalidIndexes(client, sql)
  await apply()
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

/** A build that was cut off leaves its index behind, unused and taken for there. */
async function dropInvalidIndexes(client: pg.Client, sql: string): Promise<void> {
  for (const [, name = ''] of sql.matchAll(concurrentIndex)) {
    const { rowCount } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [`"${name}"`],
    )
    if (rowCount === 1) await client.query(`drop index concurrently "${name}"`)
  }
}
