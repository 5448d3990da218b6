import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { projectRoot } from '../projectRoot.ts'

export const migrationsFolder = join(projectRoot, 'migrations')

interface JournalEntry {
  readonly tag: string
  /** Drizzle applies what is younger than the youngest that was applied. */
  readonly when: number
}

/**
 * The names of this release's migrations that the database does not have yet, in their order. None
 * when its schema is newer than the release: what is to be removed stays for one release more.
 */
export async function pendingMigrations(
  database: Pick<pg.Client | pg.Pool, 'query'>,
): Promise<string[]> {
  const youngest = await youngestApplied(database)
  const journal = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  const { entries }: { entries: JournalEntry[] } = JSON.parse(journal)
  return entries.filter(({ when }) => when > youngest).map(({ tag }) => tag)
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
