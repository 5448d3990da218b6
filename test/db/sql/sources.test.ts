import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'

const directory = join(import.meta.dirname, '../../../src/db/sql')
const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))

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

it('src/db/sql holds every function, trigger and view as the migrations leave them', async () => {
  const migrated = (await client.query(definitions)).rows
  expect(migrated.map(({ name }) => name)).toContain('tenants_changed on tenants')
  const { rows } = await client.query<{ name: string }>(functions)
  for (const { name } of rows) await client.query(`drop function ${name} cascade`)
  await client.query('drop view api_keys, catalogs')
  expect((await client.query(definitions)).rows).toEqual([])
  for (const file of files) await client.query(file)
  expect((await client.query(definitions)).rows).toEqual(migrated)
})
