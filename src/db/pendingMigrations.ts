import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { hasCode } from '../hasCode.ts'
import { projectRoot } from '../projectRoot.ts'
import type { Database } from './client.ts'
import { sqlState } from './failures.ts'
import { placement } from './placement.ts'

export const migrationsFolder = join(projectRoot, 'migrations')

/** One migration: its name, its statements, and its place in time. */
export interface PendingMigration {
  readonly tag: string
  readonly sql: string
  /** What is younger than the youngest that was applied is pending. */
  readonly when: number
}

/**
 * The migrations of `folder` (this release's) that the database does not have yet, in their order.
 * None when its schema is newer than the release: what is to be removed stays for one release more.
 */
export async function pendingMigrations(
  database: Pick<pg.Client | pg.Pool, 'query'>,
  folder = migrationsFolder,
): Promise<PendingMigration[]> {
  const youngest = await youngestApplied(database)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const { entries }: { entries: Omit<PendingMigration, 'sql'>[] } = JSON.parse(
    read('meta/_journal.json'),
  )
  return entries
    .filter(({ when }) => when > youngest)
    .map(({ tag, when }) => ({ tag, when, sql: read(`${tag}.sql`) }))
}

async function youngestApplied(database: Pick<pg.Client | pg.Pool, 'query'>): Promise<number> {
  const table = await database.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return 0
  const applied = await database.query<{ youngest: string | null }>(
    'select max(created_at) as youngest from drizzle.__drizzle_migrations',
  )
  return Number(applied.rows[0]?.youngest ?? 0)
}

export type DatabaseState = 'ready' | 'migrations pending' | 'tables out of reach' | 'unreachable'

const tables = Object.values(placement).flat()

/** Fails where the role's search path does not lead to the tables. Waits for no lock, reads no row. */
const mayServe = `
select bool_and(has_table_privilege(name, 'select')) and has_table_privilege('quotes', 'insert')
  and has_table_privilege('bookings', 'insert') as serves
from unnest($1::text[]) name`

/**
 * Whether the database answers, has this release's schema, and lets our role use it, known within
 * two seconds. A schema never goes back: once current, it is not asked for again. For a role that
 * may not read the record of migrations nothing is pending; `onUnreadable` receives the error.
 */
export function databaseCheck(
  { probe }: Pick<Database, 'probe'>,
  onUnreadable: (error: unknown) => void,
): () => Promise<DatabaseState> {
  let current = false
  const isCurrent = () =>
    pendingMigrations(probe).then(
      (pending) => pending.length === 0,
      (error: unknown) => {
        if (!hasCode(error, sqlState.noPrivilege)) throw error
        onUnreadable(error)
        return true
      },
    )
  return async () => {
    try {
      current ||= await isCurrent()
      if (!current) return 'migrations pending'
      const { rows } = await probe.query<{ serves: boolean }>(mayServe, [tables])
      return rows[0]?.serves === true ? 'ready' : 'tables out of reach'
    } catch (error) {
      return hasCode(error, sqlState.noTable) ? 'tables out of reach' : 'unreachable'
    }
  }
}
