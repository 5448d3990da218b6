import type pg from 'pg'
import { retryConflicts } from '../connection/failures.ts'
import { MigrationError } from '../connection/operatorSession.ts'
import { inOneTransaction } from '../migrations/applyMigration.ts'
import { withMigrationLock } from '../migrations/migrate.ts'
import { planMigrations, readApplied } from '../migrations/pendingMigrations.ts'
import { readRelease } from '../migrations/release.ts'
import { distributeFunction, distributeTable, grantsOn } from './distribution.ts'
import { placement, tenantFunctions } from './placement.ts'

/** The output of `rental distribute --json`. */
export type Distribution = typeof all

const all = {
  tables: (['reference', 'distributed'] as const).flatMap((kind) =>
    placement[kind].map((name) => ({ name, kind })),
  ),
  functions: tenantFunctions,
}

type Recreated = Readonly<Record<'drop' | 'restore', string>>

/** Citus cannot distribute tables that have foreign keys, so the keys are dropped and restored. */
const foreignKeys = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as restore
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

/** Triggers would fire for copied rows, and write into tables that are not distributed yet. */
const triggers = `
  select format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop,
    pg_get_triggerdef(pg_trigger.oid) as restore
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where not tgisinternal and relnamespace = 'public'::regnamespace`

/** Citus would create a view on the workers before its tables, so views are dropped as well. */
const views = `
  select format('drop view %I', viewname) as drop,
    concat_ws(' ', format('create view %I as %s', viewname, definition), ${grantsOn('viewname')}) as restore
  from pg_views where schemaname = 'public'
    and not exists (select from pg_depend where objid = viewname::regclass and deptype = 'e')`

const dropLocalRows = `
  select truncate_local_data_after_distributing_table($1::regclass)
  where pg_relation_size($1::regclass) > 0`

/**
 * Distributes a migrated database on a Citus coordinator, empty or not, in one transaction that is
 * retried after a deadlock. With `dryRun`, returns the objects that are not distributed yet.
 * @throws MigrationError when the database cannot be distributed, or an object is misplaced
 */
export function distributeDatabase(
  databaseUrl: string,
  { dryRun = false } = {},
): Promise<Distribution> {
  return withMigrationLock(databaseUrl, async (client) => {
    await assertCitusCoordinator(client)
    if (dryRun) return { tables: (await findMisplaced(client)).tables, functions: all.functions }
    if ((await findMisplaced(client)).tables.length > 0)
      await retryConflicts(() => inOneTransaction(client, () => distributeAll(client)))
    // Rows from before the distribution are invisible, but still use disk space here.
    for (const { name } of all.tables)
      await retryConflicts(() => client.query(dropLocalRows, [name]))
    const { tables, functions } = await findMisplaced(client)
    const names = [...tables.map(({ name }) => name), ...functions]
    if (names.length > 0)
      throw new MigrationError(
        `These tables and functions are not distributed as expected: ${names.join(', ')}.`,
      )
    return all
  })
}

async function distributeAll(client: pg.Client): Promise<void> {
  const recreated = [
    ...(await client.query<Recreated>(views)).rows,
    ...(await client.query<Recreated>(foreignKeys)).rows,
    ...(await client.query<Recreated>(triggers)).rows,
  ]
  for (const { drop } of recreated) await client.query(drop)
  for (const { name } of all.tables) await distributeTable(client, name)
  for (const { restore } of recreated.toReversed()) await client.query(restore)
  for (const name of all.functions) await distributeFunction(client, name)
  // Readiness checks read this table on every node.
  await client.query(`select citus_add_local_table_to_metadata('drizzle.__drizzle_migrations')
    where not exists (select from pg_dist_partition
      where logicalrelid = 'drizzle.__drizzle_migrations'::regclass)`)
}

/**
 * Returns the tables and functions that are not distributed as in `placement`.
 * @throws MigrationError for a table without a placement
 */
async function findMisplaced(client: pg.Client): Promise<Distribution> {
  const { rows } = await client.query<{ name: string; method: string | null }>(
    `select c.relname as name, concat(p.partmethod, ':', p.repmodel) as method
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and not exists (select from pg_dist_shard s where c.relname ~ ('_' || s.shardid || '$'))`,
  )
  const methods = { reference: 'n:t', distributed: 'h:s' }
  const methodOf = new Map(rows.map(({ name, method }) => [name, method]))
  const unknown = [...methodOf.keys()].filter((name) => !all.tables.some((t) => t.name === name))
  if (unknown.length > 0) {
    throw new MigrationError(
      `This release does not know these tables and cannot distribute them: ${unknown.join(', ')}.`,
    )
  }
  const placed = await client.query<{ name: string }>(
    `select proname as name from pg_proc join pg_dist_object on objid = pg_proc.oid
     where classid = 'pg_proc'::regclass and distribution_argument_index = 0`,
  )
  const names = new Set(placed.rows.map(({ name }) => name))
  return {
    tables: all.tables.filter(({ name, kind }) => methodOf.get(name) !== methods[kind]),
    functions: all.functions.filter((name) => !names.has(name)),
  }
}

async function assertCitusCoordinator(client: pg.Client): Promise<void> {
  const found = await client.query(`select from pg_extension where extname = 'citus'`)
  if (found.rowCount === 0) throw new MigrationError('This is not a Citus database.')
  const { rows } = await client.query<{ here: boolean; known: boolean; workers: boolean }>(
    `select coalesce((select groupid = 0 from pg_dist_local_group), false) as here,
       exists (select from pg_dist_node where groupid = 0) as known,
       exists (select from pg_dist_node where groupid > 0) as workers`,
  )
  if (rows[0]?.here !== true) throw new MigrationError('Run this command on the coordinator.')
  if (!rows[0].known) {
    throw new MigrationError(
      'The coordinator has no address. Run `select citus_set_coordinator_host(…)` on it.',
    )
  }
  if (!rows[0].workers)
    throw new MigrationError('There is no worker. Add one with `select citus_add_node(…)`.')
  if (planMigrations(readRelease(), await readApplied(client)).pending.length > 0) {
    throw new MigrationError('Migrations are pending: run `rental migrate` first.')
  }
}
