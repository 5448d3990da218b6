import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { hasCode } from '../hasCode.ts'
import { projectRoot } from '../projectRoot.ts'
import type { Database } from './client.ts'

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

export type DatabaseState = 'ready' | 'migrations pending' | 'unreachable'

const noPrivilege = '42501'

/**
 * Whether the database answers and has this release's schema, known within two seconds. A schema
 * never goes back: once current, it is not asked for again. For a role that may not read the record
 * of migrations nothing is pending; `onUnreadable` receives the error.
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
