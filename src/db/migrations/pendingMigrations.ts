import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectRoot } from '../../config/projectRoot.ts'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { sqlState } from '../connection/failures.ts'
import type { Queryable } from '../distribution/distribution.ts'

export const migrationsFolder = join(projectRoot, 'migrations')
/** Functions, views and triggers, which are reapplied whenever their text changes. */
const definitionsFolder = join(projectRoot, 'src/db/sql')

export interface PendingMigration {
  readonly tag: string
  readonly sql: string
  readonly hash: string
  /** Creation time in ms since the epoch; 0 for a definition of `src/db/sql`. */
  readonly when: number
}

/** The applied migrations, as recorded in drizzle-kit's table. */
export interface Applied {
  readonly hashes: ReadonlySet<string>
  readonly youngest: number
}

/**
 * Returns the unapplied migrations of `folder` in order, then the definitions whose current text
 * was never applied.
 */
export async function pendingMigrations(
  database: Queryable,
  folder = migrationsFolder,
): Promise<readonly PendingMigration[]> {
  const { hashes, youngest } = await readApplied(database)
  const definitions = readDefinitions().filter((definition) => !hashes.has(definition.hash))
  return [...readMigrations(folder).filter(({ when }) => when > youngest), ...definitions]
}

/** Reads which migrations are applied; none when the record does not exist. */
export async function readApplied(database: Queryable): Promise<Applied> {
  const { rows } = await database
    .query<{ hash: string; when: string }>(
      'select hash, created_at as when from drizzle.__drizzle_migrations',
    )
    .catch((error: unknown) => {
      if (hasErrorCode(error, sqlState.noTable, sqlState.noSchema)) return { rows: [] }
      throw error
    })
  return {
    hashes: new Set(rows.map((row) => row.hash)),
    youngest: Math.max(0, ...rows.map(({ when }) => Number(when))),
  }
}

/** Reads the migrations of `folder`, in the order of its journal. */
export function readMigrations(folder = migrationsFolder): readonly PendingMigration[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    read('meta/_journal.json'),
  )
  return journal.entries.map(({ tag, when }) => {
    const sql = read(`${tag}.sql`)
    return { tag, sql, when, hash: hash('sha256', sql) }
  })
}

function readDefinitions(): readonly PendingMigration[] {
  return readdirSync(definitionsFolder)
    .sort()
    .map((file) => {
      const sql = readFileSync(join(definitionsFolder, file), 'utf8')
      return { tag: basename(file, '.sql'), sql, when: 0, hash: hash('sha256', `${file}\n${sql}`) }
    })
}
