import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { placement } from '../distribution/placement.ts'
import { pendingMigrations } from '../migrations/pendingMigrations.ts'
import type { Database } from './database.ts'
import { sqlState } from './failures.ts'

export type DatabaseState = 'ready' | 'migrations pending' | 'tables out of reach' | 'unreachable'

const tables = Object.values(placement).flat()

/**
 * Checks the privileges that quoting and booking need (db/sql/store_quotes.sql, redeem_quote.sql).
 * Fails when the tables are not in the search path. Takes no lock and reads no row.
 */
const readinessQuery = `
select bool_and(has_table_privilege(name, 'select')) and has_table_privilege('catalogs', 'select')
  and has_table_privilege('quotes', 'insert') and has_column_privilege('quotes', 'used_at', 'update')
  and has_table_privilege('bookings', 'insert')
  and has_table_privilege('idempotency_records', 'insert') as serves
from unnest($1::text[]) name`

/**
 * Returns a function that checks connectivity, pending migrations and privileges within two
 * seconds. Concurrent calls share one check. When the role may not read the migrations table,
 * `onUnreadable` receives the error and no migration counts as pending.
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
      // Migrations are never undone, so a current schema needs no second check.
      current ||= (await pending()).length === 0
      if (!current) return 'migrations pending'
      const { rows } = await checkPool.query<{ serves: boolean }>(readinessQuery, [tables])
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
