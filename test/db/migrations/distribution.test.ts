import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { distributeDatabase } from '../../../src/db/distribution/distribute.ts'
import { placement, tenantFunctions } from '../../../src/db/distribution/placement.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'

interface Key {
  readonly table: string
  readonly name: string
  /** p, u, f and x as in pg_constraint; i for a unique index. */
  readonly kind: string
  readonly columns: readonly string[]
  readonly qualifies: boolean
}

const query = readFileSync(join(import.meta.dirname, 'distribution.sql'), 'utf8')
const copy = useTestDatabase()
let keys: Key[]
let tables: string[]

beforeAll(async () => {
  const client = new pg.Client({ connectionString: copy.url })
  await client.connect()
  keys = (await client.query<Key>(query)).rows
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  )
  tables = found.rows.map(({ name }) => name)
  await client.end()
})

describe('the schema for distribution by tenant', () => {
  it('includes the tenant in every key except those of tenants and api_key_secrets', () => {
    const others = keys.filter(({ qualifies }) => !qualifies)
    expect(others.map(({ table, kind, columns }) => `${table} ${kind} ${columns}`).sort()).toEqual([
      // api_key_secrets is a reference table: every node has a full copy.
      'api_key_secrets i key_hash',
      'api_key_secrets u key_hash',
      'tenants i id',
      'tenants i slug',
      'tenants p id',
      'tenants u slug',
    ])
  })

  it('gives every table a primary key and every table except tenants a foreign key', () => {
    const withKey = keys.filter(({ kind }) => kind === 'p').map(({ table }) => table)
    expect(withKey.sort()).toEqual(tables)
    const hanging = new Set(keys.filter(({ kind }) => kind === 'f').map(({ table }) => table))
    expect(tables.filter((table) => !hanging.has(table))).toEqual(['tenants'])
  })
})

/** Creates the Citus catalogs that a dry run reads. */
const likeCitus = `
  set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 1, 'citus', extowner, extnamespace, false, '0' from pg_extension limit 1;
  create schema citus;
  create table citus.pg_dist_local_group as select 0 as groupid;
  create table citus.pg_dist_node as select * from generate_series(0, 1) as groupid;
  create table citus.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
  create table citus.pg_dist_shard (shardid bigint);
  create table citus.pg_dist_object (classid oid, objid oid, distribution_argument_index int);
  do $$ begin
    execute format('alter database %I set search_path = public, citus', current_database());
  end $$`

it('a distribution dry run lists every table and function that is not distributed', async () => {
  await runStatements(copy.url, likeCitus)
  const tables = Object.entries(placement).flatMap(([kind, names]) =>
    names.map((name) => ({ name, kind })),
  )
  const planned = await distributeDatabase(copy.url, { dryRun: true })
  expect(planned).toEqual({ tables, functions: tenantFunctions })
})
