import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { sqlState } from '../connection/failures.ts'
import { changingTables } from '../distribution/distribution.ts'
import { applyMigration } from './applyMigration.ts'
import {
  migrationsFolder,
  type PendingMigration,
  pendingMigrations,
  readApplied,
  readMigrations,
} from './pendingMigrations.ts'

/** An arbitrary key of the advisory lock that lets one process migrate at a time. */
const migrationLock = 7_311_042

interface MigrateOptions {
  readonly folder?: string
  /** The time in ms for which to retry a migration that cannot lock its tables. */
  readonly patienceMs?: number
}

/** The error for migrations that cannot be applied; its message tells the operator why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const defaultPatienceMs = 120_000
/** Pause between attempts, so that requests queued behind the last attempt can finish. */
const pauseMs = 1_000

/**
 * Applies the pending migrations and definitions, each in its own transaction, and returns their
 * names. Concurrent calls queue. Lock waits are short and retried, so that requests are not
 * blocked.
 * @throws MigrationError on a lock timeout, missing privileges, or an unsupported database
 */
export function migrate(
  databaseUrl: string,
  { folder, patienceMs = defaultPatienceMs }: MigrateOptions = {},
): Promise<string[]> {
  return withMigrationLock(databaseUrl, async (client) => {
    const pending = await plan(client, folder)
    for (const migration of pending) await applyWithRetries(client, migration, patienceMs)
    return pending.map(({ tag }) => tag)
  })
}

/** Returns the names of the migrations that `migrate` would apply, and changes nothing. */
export async function planMigration(databaseUrl: string): Promise<string[]> {
  const pending = await withConnection(databaseUrl, plan)
  return pending.map(({ tag }) => tag)
}

async function plan(client: pg.Client, folder = migrationsFolder) {
  const pending = await pendingMigrations(client, folder)
  const baseline = readMigrations()[0]?.hash ?? ''
  const { hashes } = await readApplied(client)
  if (hashes.size > 0 && !hashes.has(baseline)) {
    throw new MigrationError(
      'This database was created by a version before 1.0, which was never published, and cannot be ' +
        'upgraded. To start over, move DATA_DIR away or set it to a new directory; on a server of ' +
        'your own, create a new database and point DATABASE_URL at it.',
    )
  }
  const { rows } = await client.query('show server_encoding')
  const encoding = rows[0].server_encoding
  if (hashes.size > 0 || ['UTF8', 'SQL_ASCII'].includes(encoding)) return pending
  throw new MigrationError(
    `The database's encoding is ${encoding}, in which not every name can be stored. ` +
      "Create the database again: create database … encoding 'UTF8' template template0.",
  )
}

/** Runs `work` on a connection without timeouts, under the lock that serializes migrations. */
export function withMigrationLock<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>) {
  return withConnection(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    return work(client)
  })
}

async function applyWithRetries(
  client: pg.Client,
  migration: PendingMigration,
  patienceMs: number,
) {
  for (const startedMs = performance.now(); ; await delay(pauseMs)) {
    try {
      return await applyMigration(client, migration)
    } catch (error) {
      if (!hasErrorCode(error, sqlState.lockNotAvailable, sqlState.deadlock)) throw error
      if (performance.now() + pauseMs < startedMs + patienceMs) continue
      throw new MigrationError(
        `Migration ${migration.tag} was not applied: a lock it needs was not free within ` +
          `${patienceMs / 1000} s. Look for a long transaction in pg_stat_activity, and run the ` +
          'command again when it has ended.',
      )
    }
  }
}

async function withConnection<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    application_name: 'rental migrate',
  })
  // Without a listener, a lost connection would end the process. The running statement fails with
  // the same error.
  client.on('error', () => {})
  await client.connect()
  try {
    // The role's timeouts are for requests. READ COMMITTED is required, because a migration must
    // see rows that were written while it waited for a lock.
    await client.query(`set statement_timeout = 0; set lock_timeout = 0;
      set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0;
      set default_transaction_isolation = 'read committed'; ${changingTables}`)
    return await work(client)
  } catch (error) {
    if (!hasErrorCode(error, sqlState.noPrivilege) || !(error instanceof Error)) throw error
    throw new MigrationError(
      `The role "${client.user}" may not migrate this database (${error.message}). ` +
        'Run the command as the role that owns its tables.',
      { cause: error },
    )
  } finally {
    // Ending the session releases the lock, also after a failed migration.
    await client.end()
  }
}
