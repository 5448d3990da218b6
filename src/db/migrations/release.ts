import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectRoot, version } from '../../config/projectRoot.ts'

export interface Migration {
  readonly tag: string
  readonly sql: string
  readonly hash: string
  /** Creation time in ms since the epoch; 0 for a definition of `src/db/sql`. */
  readonly when: number
}

export interface Release {
  readonly version: string
  /** The migrations of `migrations`, in the order of its journal. */
  readonly migrations: readonly Migration[]
  /** The functions, views and triggers of `src/db/sql`, applied again when their text changes. */
  readonly definitions: readonly Migration[]
}

export function readRelease(): Release {
  return { version, migrations: readMigrations(), definitions: readDefinitions() }
}

function readMigrations(): readonly Migration[] {
  const read = (name: string) => readFileSync(join(projectRoot, 'migrations', name), 'utf8')
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    read('meta/_journal.json'),
  )
  return journal.entries.map(({ tag, when }) => {
    const sql = read(`${tag}.sql`)
    return { tag, sql, when, hash: hash('sha256', sql) }
  })
}

function readDefinitions(): readonly Migration[] {
  const folder = join(projectRoot, 'src/db/sql')
  return readdirSync(folder)
    .sort()
    .map((file) => definition(basename(file, '.sql'), readFileSync(join(folder, file), 'utf8')))
}

export const definition = (tag: string, sql: string): Migration => ({
  tag,
  sql,
  when: 0,
  hash: hash('sha256', sql),
})

/** Reports whether version `a` is newer than `b`, by the precedence of semver. */
export function isNewer(a: string, b: string): boolean {
  return sortable(a).localeCompare(sortable(b), 'en', { numeric: true }) > 0
}

/** Removes build metadata, and makes a release sort after its pre-releases, such as 1.1.0-rc.1. */
const sortable = (version: string) => version.replace(/\+.*/, '').replace(/^[^-]+$/, '$&-zzz')
