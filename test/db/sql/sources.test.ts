import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notDistributed } from '../../../src/db/placement.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'

const directory = join(import.meta.dirname, '../../../src/db/sql')
const files = new Map(
  readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
)

/** The functions of the schema, but for those of extensions. */
const functions = `select p.oid, p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

const definitions = `
  select name, pg_get_functiondef(oid) as definition from (${functions}) f
  union all
  select tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(oid) from pg_trigger
  where not tgisinternal
  union all
  select viewname, definition from pg_views where schemaname = 'public'
  order by 1`

let copy: TestDatabase
let client: pg.Client

beforeAll(async () => {
  copy = await createTestDatabase()
  client = new pg.Client({ connectionString: copy.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await copy.drop()
})

it('src/db/sql holds all that this release needs as the migrations leave it', async () => {
  // What only the release before needs was written once, and goes with it.
  const { views, functions: former } = notDistributed
  for (const name of views) await client.query(`drop view ${name}`)
  for (const name of former) {
    if (!files.has(`${name}.sql`)) await client.query(`drop function ${name} cascade`)
  }
  const migrated = (await client.query(definitions)).rows
  expect(migrated.map(({ name }) => name)).toContain('tenants_changed on tenants')
  const { rows } = await client.query<{ name: string }>(functions)
  for (const { name } of rows) await client.query(`drop function ${name} cascade`)
  await client.query('drop view catalogs')
  expect((await client.query(definitions)).rows).toEqual([])
  for (const text of files.values()) await client.query(text)
  expect((await client.query(definitions)).rows).toEqual(migrated)
})
