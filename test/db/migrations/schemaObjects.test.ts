import { expect, it, onTestFinished } from 'vitest'
import { allObjects, findMissing } from '../../../src/db/migrations/schemaObjects.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { rowsOf, withClient } from '../../helpers/maintenance.ts'

const created = `
  select 'table ' || relname as object from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
  union all select 'view ' || viewname from pg_views where schemaname = 'public'
  union all select 'function ' || proname from pg_proc p where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all select 'constraint ' || conname || ' on ' || conrelid::regclass from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select 'index ' || indexrelid::regclass || ' on ' || indrelid::regclass
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
  union all select 'trigger ' || tgname || ' on ' || tgrelid::regclass
    from pg_trigger where not tgisinternal`

it('the required objects are exactly those that the migrations and definitions create', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  // PostgreSQL shortens names to 63 bytes.
  const required = allObjects.map((object) =>
    object.replace(/\w{64,}/, (name) => name.slice(0, 63)),
  )
  const objects = (await rowsOf(url, created)).map(({ object }) => object)
  expect(required.sort()).toEqual(objects.sort())
  expect(await withClient(url, (client) => findMissing(client, allObjects))).toEqual([])
})
