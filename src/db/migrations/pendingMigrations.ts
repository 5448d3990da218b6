import type { Queryable } from '../distribution/distribution.ts'
import { isNewer, type Migration, type Release } from './release.ts'

/** The migrations applied to a database, as recorded in drizzle-kit's table. */
export interface Applied {
  /** The hashes of all texts that were ever applied, by tag. */
  readonly hashes: ReadonlyMap<string, readonly string[]>
  readonly youngest: number
  /** The release that migrated last. */
  readonly release: string | undefined
  /** The newest release that ever migrated. */
  readonly newestRelease: string | undefined
}

export interface MigrationPlan {
  /** The migrations in order, then the definitions, that have to be applied. */
  readonly pending: readonly Migration[]
  /** Definitions that a newer release has replaced, and that stay replaced. */
  readonly kept: readonly Migration[]
  /** The release that migrated last, if it is newer than this one. */
  readonly newerRelease: string | undefined
  /** The newest release that ever migrated, also before a step back, if it is newer than this one. */
  readonly newestRelease: string | undefined
}

/** Reads what was applied; nothing when the record does not exist. */
export async function readApplied(database: Queryable): Promise<Applied> {
  // PostgreSQL logs an error for a query on a missing table.
  const record = await database.query(
    `select from to_regclass('drizzle.__drizzle_migrations') name where name is not null`,
  )
  if (record.rows.length === 0)
    return { hashes: new Map(), youngest: 0, release: undefined, newestRelease: undefined }
  const { rows } = await database.query<{
    tag: string
    hash: string
    when: string
    release: string
  }>(`select tag, hash, created_at as when, release from drizzle.__drizzle_migrations order by id`)
  const hashes = new Map<string, string[]>()
  for (const { tag, hash } of rows) hashes.set(tag, (hashes.get(tag) ?? []).concat(hash))
  return {
    hashes,
    youngest: Math.max(0, ...rows.map(({ when }) => Number(when))),
    release: rows.at(-1)?.release,
    newestRelease: rows
      .map(({ release }) => release)
      .reduce(
        (newest, release) => (isNewer(release, newest) ? release : newest),
        rows[0]?.release ?? '',
      ),
  }
}

interface PlanOptions {
  readonly back?: boolean | undefined
  readonly isIncomplete?: boolean
}

/**
 * Compares a release with what was applied. A definition is pending when its text is not the one
 * applied last; all are pending when a function, view or trigger is missing. Definitions of a newer
 * release are kept unless `back` is true.
 */
export function planMigrations(
  release: Release,
  applied: Applied,
  { back = false, isIncomplete = false }: PlanOptions = {},
): MigrationPlan {
  const ifNewer = (other: string | undefined) =>
    other !== undefined && isNewer(other, release.version) ? other : undefined
  const newerRelease = ifNewer(applied.release)
  const changed = release.definitions.filter(
    (definition) => applied.hashes.get(definition.tag)?.at(-1) !== definition.hash || isIncomplete,
  )
  const keep = newerRelease !== undefined && !back
  const migrations = release.migrations.filter(({ when }) => when > applied.youngest)
  return {
    pending: migrations.concat(keep ? [] : changed),
    kept: keep ? changed : [],
    newerRelease,
    newestRelease: ifNewer(applied.newestRelease),
  }
}

/** Returns what a release needs and was never applied, although a newer release may have replaced it. */
export function missingMigrations(release: Release, applied: Applied): readonly Migration[] {
  const { pending, kept } = planMigrations(release, applied)
  return pending.concat(
    kept.filter(({ tag, hash }) => applied.hashes.get(tag)?.includes(hash) !== true),
  )
}
