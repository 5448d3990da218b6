import pg from 'pg'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { missingMigrations, planMigrations, readApplied } from '../migrations/pendingMigrations.ts'
import { type Release, readRelease } from '../migrations/release.ts'
import { findMissing, neededObjects } from '../migrations/schemaObjects.ts'
import { tables } from '../schema/tables.ts'
import type { Database } from './database.ts'
import { isLoginRejected, sqlState } from './failures.ts'

/**
 * The state of the database for this release, and the reason when requests would fail.
 * `newerRelease` is set if its functions or views have replaced those of this release.
 */
export type DatabaseCheck =
  | { readonly state: 'ready'; readonly newerRelease?: string | undefined }
  | {
      readonly state: 'pending' | 'incomplete' | 'unreachable' | 'login rejected' | 'read only'
      readonly reason: string
    }

interface MigrationRecord {
  readonly pending: readonly string[]
  readonly newerRelease: string | undefined
  readonly isEmpty: boolean
}

/** Open sessions survive a new password, and keep settings that new sessions no longer get. */
const loginEveryMs = 8_000

const ready: DatabaseCheck = { state: 'ready' }
const readOnly: DatabaseCheck = {
  state: 'read only',
  reason: 'transaction_read_only is on: a standby, or default_transaction_read_only is set',
}

/**
 * Returns a function that checks, within two seconds, that the database has what this release needs
 * (docs/monitoring.md#health-checks). Concurrent calls share one check. When the role may not read
 * the migrations table, `onUnreadable` receives the error once and no migration counts as pending.
 * `nowMs` is a monotonic clock.
 */
export function databaseCheck(
  { checkPool }: Pick<Database, 'checkPool'>,
  onUnreadable: (error: unknown) => void,
  release: Release = readRelease(),
  nowMs = () => performance.now(),
): () => Promise<DatabaseCheck> {
  let loggedInMs = Number.NEGATIVE_INFINITY
  let record: MigrationRecord = { pending: [], newerRelease: undefined, isEmpty: false }
  let isRead = false

  async function readRecord() {
    try {
      const applied = await readApplied(checkPool)
      const { kept, newerRelease } = planMigrations(release, applied)
      record = {
        pending: missingMigrations(release, applied).map(({ tag }) => tag),
        newerRelease: kept.length > 0 ? newerRelease : undefined,
        isEmpty: applied.hashes.size === 0,
      }
    } catch (error) {
      // On a worker of a distributed database, the record is unavailable without the coordinator.
      if (isRead) return
      if (!hasErrorCode(error, sqlState.noPrivilege)) throw error
      onUnreadable(error)
    }
    isRead = true
  }

  /** Logs in again when the last login is too old. Only a rejection or a read-only session counts. */
  async function checkLogin(): Promise<DatabaseCheck> {
    const startedMs = nowMs()
    if (startedMs - loggedInMs < loginEveryMs) return ready
    const client = new pg.Client(checkPool.options)
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('show transaction_read_only')
      if (rows[0].transaction_read_only === 'on') return readOnly
      loggedInMs = startedMs
    } catch (error) {
      if (isLoginRejected(error)) throw error
    } finally {
      client.end().catch(() => {})
    }
    return ready
  }

  async function check(): Promise<DatabaseCheck> {
    const [login, state] = await Promise.all([checkLogin(), checkState()])
    return login === ready ? state : login
  }

  async function checkState(): Promise<DatabaseCheck> {
    const missing = await findMissing(checkPool, neededObjects)
    await readRecord()
    const { pending, isEmpty, newerRelease } = record
    // A restore that was cut off can leave tables with an empty record.
    const isNew = tables.every((name) => missing.includes(`table ${name}`))
    if (pending.length > 0 && (isNew || !isEmpty))
      return { state: 'pending', reason: `pending: ${pending.join(', ')}` }
    if (missing.length + pending.length === 0) return { state: 'ready', newerRelease }
    return { state: 'incomplete', reason: `missing: ${missing.concat(pending).join(', ')}` }
  }

  let running: Promise<DatabaseCheck> | undefined
  return () => {
    running ??= check()
      .catch((error: unknown): DatabaseCheck => {
        const state = isLoginRejected(error) ? 'login rejected' : 'unreachable'
        // A host with several addresses fails once for each.
        const errors = error instanceof AggregateError ? error.errors : [error]
        return { state, reason: errors.join(', ') }
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
