import { hasCode } from '../hasCode.ts'
import type { Database } from './client.ts'
import { pendingMigrations } from './pendingMigrations.ts'

/** How the database stands for this release. */
export type DatabaseState = 'ready' | 'migrations pending' | 'unreachable'

const noPrivilege = '42501'

/**
 * A check of the database, known within two seconds: whether it answers, and until it was once
 * found current, whether its schema is. A schema never goes back, so that need not be asked again.
 * A role that may not read the record of migrations is told nothing pending; `onUnreadable` hears
 * of it.
 */
export function databaseCheck(
  { probe }: Pick<Database, 'probe'>,
  onUnreadable: (error: unknown) => void,
): () => Promise<DatabaseState> {
  let current = false
  return async () => {
    try {
      if (current) await probe.query('select 1')
      else current = (await pendingMigrations(probe)).length === 0
      return current ? 'ready' : 'migrations pending'
    } catch (error) {
      if (!hasCode(error, noPrivilege)) return 'unreachable'
      onUnreadable(error)
      current = true
      return 'ready'
    }
  }
}
