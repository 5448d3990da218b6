import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { hasCode } from '../base/hasCode.ts'
import { applyMigration } from './applyMigration.ts'
import { changingTables } from './distribution.ts'
import { sqlState } from './failures.ts'
import { migrationsFolder, type PendingMigration, pendingMigrations } from './pendingMigrations.ts'
import { watchBlockers } from './watchBlockers.ts'

/** Any fixed number: whoever migrates holds it, everybody else waits for it. */
const migrationLock = 7_311_042

interface MigrateOptions {
  readonly folder?: string
  /** How long to try for the locks of one migration. */
  readonly patienceMs?: number
  /** Told who is in the way, whenever that changes. */
  readonly onBlocked?: (sentence: string) => void
}

/** Migrations that cannot be applied now, or by this role: the message says why, to an operator. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

const defaultPatienceMs = 120_000
/** Before the next attempt, so that those who waited behind the last one get through. */
const pauseMs = 1_000
const turnPollMs = 100

const blockedStates = [sqlState.lockNotFree, sqlState.deadlock]

/**
 * Applies the migrations that are not applied yet, each in a transaction of its own unless its file
 * says otherwise, and returns their names. Concurrent starts queue: one migrates, the others then
 * find nothing to do. A lock is waited for so briefly, again and again, that the service goes on
 * (decision 316).
 * @throws MigrationRefused when no lock is free in time, the role may not, or names can't be stored
 */
export function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  return migrationTurn(databaseUrl, async (client) => {
    const pending = await plan(client, options.folder)
    for (const migration of pending) await applyPatiently(client, databaseUrl, migration, options)
    return pending.map(({ tag }) => tag)
  })
}

/** The names of the migrations that `migrate` would apply; changes nothing. */
export async function planMigration(databaseUrl: string): Promise<string[]> {
  const pending = await connected(databaseUrl, plan)
  return pending.map(({ tag }) => tag)
}

/** Refuses a new database in which customers' names can't be stored (decision 331). */
async function plan(client: pg.Client, folder = migrationsFolder): Promise<PendingMigration[]> {
  const pending = await pendingMigrations(client, folder)
  const { rows } = await client.query('show server_encoding')
  const encoding = rows[0].server_encoding
  if (!pending[0]?.tag.startsWith('0000') || ['UTF8', 'SQL_ASCII'].includes(encoding))
    return pending
  throw new MigrationRefused(
    `The database's encoding is ${encoding}, in which not every name can be stored. ` +
      "Make it anew: create database … encoding 'UTF8' template template0.",
  )
}

/** Runs `work` on a connection without timeouts, while nobody else changes tables. */
export function migrationTurn<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>) {
  return connected(databaseUrl, async (client) => {
    // Asked again and again: waiting in a statement holds a snapshot, which stops index builds.
    const attempt = 'select pg_try_advisory_lock($1) as ours'
    while (!(await client.query(attempt, [migrationLock])).rows[0]?.ours) await delay(turnPollMs)
    return work(client)
  })
}

async function applyPatiently(
  client: pg.Client,
  databaseUrl: string,
  migration: PendingMigration,
  { patienceMs = defaultPatienceMs, onBlocked = () => {} }: MigrateOptions,
): Promise<void> {
  const blockers = await watchBlockers(databaseUrl, client, onBlocked)
  try {
    for (const startedMs = performance.now(); ; await delay(pauseMs)) {
      const leftMs = startedMs + patienceMs - performance.now()
      try {
        return await applyMigration(client, migration, patienceMs)
      } catch (error) {
        if (!hasCode(error, ...blockedStates)) throw error
        if (leftMs >= pauseMs) continue
        throw new MigrationRefused(
          `Migration ${migration.tag} was not applied: a lock it needs was not free within ` +
            `${patienceMs / 1000} s. Blocked by: ${blockers.seen()}. ` +
            'Run the command again when that has ended.',
        )
      }
    }
  } finally {
    await blockers.stop()
  }
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    application_name: 'rental migrate',
  })
  // A lost connection is told by the statement that fails.
  client.on('error', () => {})
  await client.connect()
  try {
    // A role's timeouts are for requests; a migration takes as long as it takes. Of a migrator whose
    // machine is gone the server learns within a minute, and gives its turn to the next. What is
    // written while it waits for a lock it must see (decision 325).
    await client.query(`set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;
      set tcp_keepalives_count = 3; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set idle_session_timeout = 0;
      set default_transaction_isolation = 'read committed'; ${changingTables}`)
    return await work(client)
  } catch (error) {
    if (!hasCode(error, sqlState.noPrivilege) || !(error instanceof Error)) throw error
    throw new MigrationRefused(
      `The role "${client.user}" may not migrate this database (${error.message}). ` +
        'Run the command as the role that owns its tables.',
      { cause: error },
    )
  } finally {
    // Ending the session gives the lock back, also after a failed migration.
    await client.end()
  }
}
