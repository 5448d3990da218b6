import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../config/projectRoot.ts'
import type { Queryable } from '../distribution/distribution.ts'
import { tableConfigs, tables } from '../schema/tables.ts'

/**
 * All objects that the migrations and definitions of this release create, read from PostgreSQL's
 * catalog by test/db/migrations/schemaObjects.test.ts: `npm run openapi` writes them.
 */
const objects: Record<'forRequests' | 'forHousekeeping', readonly string[]> = JSON.parse(
  readFileSync(join(projectRoot, 'migrations/objects.json'), 'utf8'),
)

export const allObjects = objects.forRequests.concat(objects.forHousekeeping)

/** The writes of the functions of `src/db/sql` for requests. */
export const writePrivileges = [
  'insert on quotes',
  'update on quotes',
  'insert on bookings',
  'insert on idempotency_records',
]

/**
 * The objects that requests need: tables, keys, constraints, functions, views, triggers, privileges,
 * and the indexes that are unique or begin with the tenant. Only housekeeping uses the other indexes.
 */
export const neededObjects = objects.forRequests
  .concat(tables.concat('catalogs').map((table) => `privilege select on ${table}`))
  .concat(writePrivileges.map((privilege) => `privilege ${privilege}`))

/** The objects of `src/db/sql`. */
export const definedObjects = objects.forRequests.filter((object) =>
  /^(function|trigger|view) /.test(object),
)

/** The objects that migrations create by a name of their own, which another program may have taken. */
export const namedObjects = allObjects.filter((object) => /^(table|view|function) /.test(object))

/**
 * Reads only catalogs. A disabled trigger, or a foreign key whose triggers are disabled, is missing.
 * Names are compared as `name`, which PostgreSQL shortens to 63 bytes.
 */
const missingQuery = `
select object from unnest($1::text[]) object, split_part(object, ' ', 1) kind,
  split_part(object, ' ', 2) name, to_regclass(nullif(split_part(object, ' ', 4), '')) of_table
where case
  when kind in ('table', 'view') then to_regclass(name) is null
  when kind = 'function' then to_regproc(name) is null
  when of_table is null then false
  when kind = 'privilege' then not has_table_privilege(of_table, name)
  when kind = 'constraint' then not exists (
    select from pg_constraint where conrelid = of_table and conname = name::name and not exists (
      select from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled in ('D', 'R')))
  when kind = 'trigger' then not exists (
    select from pg_trigger
    where tgrelid = of_table and tgname = name::name and tgenabled not in ('D', 'R'))
  else not exists (
    select from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = of_table and relname = name::name and indisvalid)
end`

/** Returns those of `objects` that a database lacks. Reads no rows of the tables. */
export async function findMissing(database: Queryable, objects: readonly string[]) {
  const { rows } = await database.query<{ object: string }>(missingQuery, [objects])
  return rows.map(({ object }) => object)
}

const unknownQuery = `
with in_schema as (
  select oid, relname from pg_class
  where relkind in ('r', 'p') and not relispartition
    and relnamespace = (select relnamespace from pg_class where oid = to_regclass('tenants')))
select 'table ' || relname as object, false as "needsValue" from in_schema
where relname <> all ($1) and not exists (
  select from pg_depend where classid = 'pg_class'::regclass and objid = oid and deptype = 'e')
union all
select 'column ' || relname || '.' || attname, attnotnull and not atthasdef and attidentity = ''
from in_schema join pg_attribute on attrelid = oid
where relname = any ($1) and attnum > 0 and not attisdropped and relname || '.' || attname <> all ($2)
order by object`

const knownColumns = tableConfigs.flatMap(({ name, columns }) =>
  columns.map((column) => `${name}.${column.name}`),
)

/**
 * Returns the tables beside those of this release, and the columns of these that it does not know. A
 * column that `needsValue` rejects rows without a value for it.
 */
export async function findUnknown(database: Queryable) {
  const { rows } = await database.query<{ object: string; needsValue: boolean }>(unknownQuery, [
    tables,
    knownColumns,
  ])
  return rows
}
