import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { missingMigrations, readApplied } from '../migrations/pendingMigrations.ts'
import { type Release, readRelease } from '../migrations/release.ts'
import { findMissing, neededObjects } from '../migrations/schemaObjects.ts'
import { tables } from '../schema/tables.ts'
import type { Database } from './database.ts'
import { isLoginRejected, sqlState } from './failures.ts'

/** The state of the database for this release, and the reason when requests would fail. */
export type DatabaseCheck =
  | { readonly state: 'ready' }
  | {
      readonly state: 'pending' | 'incomplete' | 'unreachable' | 'login rejected'
      readonly reason: string
    }

/**
 * Returns a function that checks, within two seconds, that the database has what this release needs
 * (docs/monitoring.md#health-checks). Concurrent calls share one check. When the role may not read
 * the migrations table, `onUnreadable` receives the error once and no migration counts as pending.
 */
export function databaseCheck(
  { checkPool }: Pick<Database, 'checkPool'>,
  onUnreadable: (error: unknown) => void,
  release: Release = readRelease(),
): () => Promise<DatabaseCheck> {
  let record = { pending: [] as readonly string[], isEmpty: false, isRead: false }

  async function readRecord() {
    try {
      const applied = await readApplied(checkPool)
      const pending = missingMigrations(release, applied).map(({ tag }) => tag)
      record = { pending, isEmpty: applied.hashes.size === 0, isRead: true }
    } catch (error) {
      // On a worker of a distributed database, the record is unavailable without the coordinator.
      if (record.isRead) return
      if (!hasErrorCode(error, sqlState.noPrivilege)) throw error
      onUnreadable(error)
      record = { pending: [], isEmpty: false, isRead: true }
    }
  }

  async function check(): Promise<DatabaseCheck> {
    const missing = await findMissing(checkPool, neededObjects)
    await readRecord()
    const { pending, isEmpty } = record
    // A restore that was cut off can leave tables with an empty record.
    const isNew = tables.every((name) => missing.includes(`table ${name}`))
    if (pending.length > 0 && (isNew || !isEmpty))
      return { state: 'pending', reason: `pending: ${pending.join(', ')}` }
    if (missing.length + pending.length === 0) return { state: 'ready' }
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
