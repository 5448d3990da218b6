import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../base/projectRoot.ts'
import type { Queryable } from './distribution.ts'

export const migrationsFolder = join(projectRoot, 'migrations')

export interface PendingMigration {
  readonly tag: string
  readonly sql: string
  /** When it was made, in ms: all made after the newest that was applied are pending. */
  readonly when: number
}

/**
 * The migrations of `folder` (this release's) that the database does not have yet, in their order.
 * None when its schema is newer than the release: what is to be removed stays for one release more.
 */
export async function pendingMigrations(database: Queryable, folder = migrationsFolder) {
  const youngest = await youngestApplied(database)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const { entries }: { entries: Omit<PendingMigration, 'sql'>[] } = JSON.parse(
    read('meta/_journal.json'),
  )
  return entries
    .filter(({ when }) => when > youngest)
    .map(({ tag, when }) => ({ tag, when, sql: read(`${tag}.sql`) }))
}

async function youngestApplied(database: Queryable): Promise<number> {
  const table = await database.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return 0
  const applied = await database.query<{ youngest: string | null }>(
    'select max(created_at) as youngest from drizzle.__drizzle_migrations',
  )
  return Number(applied.rows[0]?.youngest ?? 0)
}
