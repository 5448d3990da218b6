import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { closeDatabase } from '../../../src/db/connection/database.ts'
import {
  allObjects,
  findMissing,
  writePrivileges,
} from '../../../src/db/migrations/schemaObjects.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { rowsOf, runStatements, withClient } from '../../helpers/maintenance.ts'
import { openPool } from '../../helpers/openPool.ts'
import { aQuote, outcomeOf, withGround } from '../sql/ground.ts'

const created = `
  select 'table ' || relname as object, true as needed from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
  union all select 'view ' || viewname, true from pg_views where schemaname = 'public'
  union all select 'function ' || proname, true from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all select 'constraint ' || conname || ' on ' || conrelid::regclass, true from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select 'index ' || indexrelid::regclass || ' on ' || indrelid::regclass,
      indisunique or pg_get_indexdef(indexrelid, 1, false) = 'tenant_id'
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
  union all select 'trigger ' || tgname || ' on ' || tgrelid::regclass, true
    from pg_trigger where not tgisinternal`

it('the listed objects are those of a migrated database (update with `npm run openapi`)', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const rows = await rowsOf(url, created)
  const sorted = (needed: boolean) =>
    rows.flatMap((row) => (row.needed === needed ? [row.object] : [])).toSorted()
  const objects = { forRequests: sorted(true), forHousekeeping: sorted(false) }
  await expect(`${JSON.stringify(objects, null, 2)}\n`).toMatchFileSnapshot(
    '../../../migrations/objects.json',
  )
  expect(await withClient(url, (client) => findMissing(client, allObjects))).toEqual([])
})

it.each(writePrivileges)(
  'a booking needs the privilege %s, and no other to write',
  async (lacking) => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const role = `requests_${randomBytes(4).toString('hex')}`
    const grants = writePrivileges.map((privilege) => `grant ${privilege} to ${role}`)
    await runStatements(
      url,
      `create role ${role}`,
      `grant select on all tables in schema public to ${role}`,
      ...grants,
    )
    await withGround(url, async (on) => {
      const book = async () => {
        const database = openPool(url, { poolMax: 1 })
        try {
          await database.pool.query(`set role ${role}`)
          return await outcomeOf(
            { ...on, database },
            { quoteId: await aQuote({ ...on, database }) },
          )
        } catch (error) {
          return (error as Error).message
        } finally {
          await closeDatabase(database)
        }
      }
      expect(await book()).toBe('ACCEPTED')
      await on.database.pool.query(`revoke ${lacking} from ${role}`)
      expect(await book()).toMatch(/permission denied|SQLSTATE 42501/)
      await on.database.pool.query(`drop owned by ${role}; drop role ${role}`)
    })
  },
)
