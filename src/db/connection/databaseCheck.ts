import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { placement } from '../distribution/placement.ts'
import { pendingMigrations } from '../migrations/pendingMigrations.ts'
import type { Database } from './database.ts'
import { sqlState } from './failures.ts'

export type DatabaseState = 'ready' | 'migrations pending' | 'tables out of reach' | 'unreachable'

const tables = Object.values(placement).flat()

/**
 * Whether our role may do what quoting and booking do (db/sql/store_quotes.sql, redeem_quote.sql).
 * Fails where its search path does not lead to the tables. Waits for no lock, reads no row.
 */
const mayServe = `
select bool_and(has_table_privilege(name, 'select')) and has_table_privilege('catalogs', 'select')
  and has_table_privilege('quotes', 'insert') and has_column_privilege('quotes', 'used_at', 'update')
  and has_table_privilege('bookings', 'insert')
  and has_table_privilege('idempotency_records', 'insert') as serves
from unnest($1::text[]) name`

/**
 * Whether the database answers, has this release's schema, and lets our role use it, known within
 * two seconds. Whoever asks meanwhile shares the answer: there is one connection for it. A schema
 * never goes back: once current, it is not asked for again. For a role that may not read the record of
 * migrations nothing is pending; `onUnreadable` receives the error.
 */
export function databaseCheck(
  { checkPool }: Pick<Database, 'checkPool'>,
  onUnreadable: (error: unknown) => void,
): () => Promise<DatabaseState> {
  let current = false
  const pending = () =>
    pendingMigrations(checkPool).catch((error: unknown) => {
      if (!hasErrorCode(error, sqlState.noPrivilege)) throw error
      onUnreadable(error)
      return []
    })
  const check = async (): Promise<DatabaseState> => {
    try {
      current ||= (await pending()).length === 0
      if (!current) return 'migrations pending'
      const { rows } = await checkPool.query<{ serves: boolean }>(mayServe, [tables])
      return rows[0]?.serves === true ? 'ready' : 'tables out of reach'
    } catch (error) {
      return hasErrorCode(error, sqlState.noTable) ? 'tables out of reach' : 'unreachable'
    }
  }
  let running: Promise<DatabaseState> | undefined
  return () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
}
