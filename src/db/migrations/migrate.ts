import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { isRolledBack, sqlState } from '../connection/failures.ts'
import { inOperatorSession, MigrationError } from '../connection/operatorSession.ts'
import { applyMigration } from './applyMigration.ts'
import { type MigrationPlan, planMigrations, readApplied } from './pendingMigrations.ts'
import { type Migration, type Release, readRelease } from './release.ts'
import { definedObjects, findMissing, namedObjects } from './schemaObjects.ts'

/** An arbitrary key of the advisory lock that lets one process migrate at a time. */
const migrationLock = 7_311_042

interface MigrateOptions {
  /** Default: this release. */
  readonly release?: Release
  /** Applies this release's definitions over those of a newer release. */
  readonly back?: boolean
  /** The time in ms for which to retry a migration that cannot lock its tables. */
  readonly patienceMs?: number
}

const defaultPatienceMs = 120_000
/** Pause between attempts, so that requests queued behind the last attempt can finish. */
const pauseMs = 1_000

/**
 * Applies the pending migrations and definitions, each in its own transaction, and returns the plan.
 * Concurrent calls queue. Lock waits are short and retried, so that requests are not blocked.
 * @throws MigrationError on an SQL error, a lock timeout, missing privileges, or an unsupported database
 */
export function migrateDatabase(
  databaseUrl: string,
  { patienceMs = defaultPatienceMs, ...options }: MigrateOptions = {},
): Promise<MigrationPlan> {
  return withMigrationLock(databaseUrl, async (client) => {
    const { release = readRelease() } = options
    const planned = await plan(client, options)
    for (const migration of planned.pending)
      await applyWithRetries(client, migration, release.version, patienceMs)
    return planned
  })
}

/** Returns the plan that `migrateDatabase` would apply, and changes nothing. */
export function planMigration(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<MigrationPlan> {
  return inOperatorSession(databaseUrl, 'migrate', (client) => plan(client, options))
}

async function plan(client: pg.Client, { release = readRelease(), back }: MigrateOptions) {
  const { rows } = await client.query('show server_encoding')
  if (rows[0].server_encoding !== 'UTF8') {
    throw new MigrationError(
      `The database's encoding is ${rows[0].server_encoding}, in which not every name can be stored. ` +
        "Create the database again: create database … encoding 'UTF8' template template0.",
    )
  }
  const applied = await readApplied(client).catch((error: unknown) => {
    if (!hasErrorCode(error, sqlState.noColumn)) throw error
    throw new MigrationError(
      'This database was created by a version before 1.0, which was never published, and cannot be ' +
        'upgraded. To start over, move DATA_DIR away or set it to a new directory; on a server of ' +
        'your own, create a new database and point DATABASE_URL at it.',
    )
  })
  if (applied.hashes.size === 0) await rejectTakenNames(client)
  const missing = await findMissing(client, definedObjects)
  return planMigrations(release, applied, { back, isIncomplete: missing.length > 0 })
}

/** @throws MigrationError when a database without a record has objects that migrations create */
async function rejectTakenNames(client: pg.Client) {
  const missing = await findMissing(client, namedObjects)
  const taken = namedObjects.filter((object) => !missing.includes(object))
  if (taken.length === 0) return
  throw new MigrationError(
    `The database has no record of migrations, but it has objects of the same names: ${taken.join(', ')}. ` +
      'If another program created them, use an empty database. After a restore that was cut off, restore again.',
  )
}

/** Runs `work` on a connection without timeouts, under the lock that serializes migrations. */
export function withMigrationLock<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>) {
  return inOperatorSession(databaseUrl, 'migrate', async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    return work(client)
  })
}

async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  version: string,
  patienceMs: number,
) {
  for (const startedMs = performance.now(); ; await delay(pauseMs)) {
    try {
      return await applyMigration(client, migration, version)
    } catch (error) {
      if (!isRolledBack(error) || hasErrorCode(error, sqlState.noPrivilege)) throw error
      if (!hasErrorCode(error, sqlState.lockNotAvailable, sqlState.deadlock))
        throw new MigrationError(
          `Migration ${migration.tag} was not applied: ${(error as Error).message}.`,
        )
      if (performance.now() + pauseMs < startedMs + patienceMs) continue
      throw new MigrationError(
        `Migration ${migration.tag} was not applied: a lock it needs was not free within ` +
          `${patienceMs / 1000} s. Look for a long transaction in pg_stat_activity, and run the ` +
          'command again when it has ended.',
      )
    }
  }
}
