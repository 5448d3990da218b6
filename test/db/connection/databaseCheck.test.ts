import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { closeDatabase } from '../../../src/db/connection/database.ts'
import { databaseCheck } from '../../../src/db/connection/databaseCheck.ts'
import { migrateDatabase } from '../../../src/db/migrations/migrate.ts'
import type { Release } from '../../../src/db/migrations/release.ts'
import { createDatabase, createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { withDefinition, withMigration } from '../../helpers/migrations.ts'
import { openPool } from '../../helpers/openPool.ts'

let database: TestDatabase
let role: string
beforeEach(async () => {
  database = await createTestDatabase()
  role = `test_role_${randomBytes(8).toString('hex')}`
})
afterEach(() => database.drop())

/** Returns the check of a replica of `release`, by default this one. */
function replicaOn(url: string, release?: Release, nowMs?: () => number) {
  const opened = openPool(url, { plans: 'byIndex' })
  onTestFinished(() => closeDatabase(opened))
  return databaseCheck(opened, () => {}, release, nowMs)
}

const checkOf = (url: string, release?: Release) => replicaOn(url, release)()
const ready = { state: 'ready' }
const incomplete = (missing: string) => ({
  state: 'incomplete',
  reason: expect.stringContaining(missing),
})

/** Returns a URL of the database with changes. */
function urlWith(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

const asRole = () => urlWith((url) => url.searchParams.set('options', `-c role=${role}`))

/** Creates a role that may only read and write rows. */
async function createRole(options = '') {
  await runStatements(
    database.url,
    `create role ${role} ${options};
     grant select, insert, update, delete on all tables in schema public to ${role};
     grant usage on schema drizzle to ${role};
     grant select on drizzle.__drizzle_migrations to ${role}`,
  )
  // Runs after `afterEach`, which drops the database and with it the privileges.
  onTestFinished(() => runStatements(inject('postgresUrl'), `drop role ${role}`))
}

describe('databaseCheck', () => {
  it.each([
    'select on api_key_secrets',
    'insert on idempotency_records',
    'update on quotes',
    'select on catalogs',
  ])('reports incomplete when the role lacks %s', async (right) => {
    await createRole()
    expect(await checkOf(asRole())).toEqual(ready)
    await runStatements(database.url, `revoke ${right} from ${role}`)
    expect(await checkOf(asRole())).toEqual(incomplete(`privilege ${right}`))
  })

  it('reports incomplete when the search path misses the schema of the tables', async () => {
    const elsewhere = urlWith((url) => url.searchParams.set('options', '-c search_path=elsewhere'))
    expect(await checkOf(elsewhere)).toEqual(incomplete('table bookings'))
  })

  it.each([
    ['table idempotency_records', 'drop table idempotency_records'],
    [
      'constraint bookings_quote_unique',
      'alter table bookings drop constraint bookings_quote_unique',
    ],
    [
      'constraint bookings_period_check',
      'alter table bookings drop constraint bookings_period_check',
    ],
    ['index asset_groups_ref_unique', 'drop index asset_groups_ref_unique'],
    ['index bookings_overlap_idx', 'drop index bookings_overlap_idx'],
    [
      'index bookings_overlap_idx',
      `update pg_index set indisvalid = false where indexrelid = 'bookings_overlap_idx'::regclass`,
    ],
    ['trigger rates_offered on rates', 'drop trigger rates_offered on rates'],
    ['trigger rates_offered on rates', 'alter table rates disable trigger rates_offered'],
    ['trigger rates_offered on rates', 'alter table rates enable replica trigger rates_offered'],
    // As a restore with --disable-triggers that was cut off.
    [
      'constraint bookings_tenant_id_quote_id_quotes_tenant_id_id_fk',
      'alter table bookings disable trigger all',
    ],
    ['function redeem_quote', 'drop function redeem_quote'],
    ['view catalogs', 'drop view catalogs'],
  ])('reports incomplete without the %s', async (missing, drop) => {
    const check = replicaOn(database.url)
    expect(await check()).toEqual(ready)
    await runStatements(database.url, drop)
    expect(await check()).toEqual(incomplete(missing))
  })

  it('is ready again after `migrate` when a trigger was disabled', async () => {
    await runStatements(database.url, 'alter table rates disable trigger rates_offered')
    expect(await checkOf(database.url)).toEqual(incomplete('trigger rates_offered on rates'))
    await migrateDatabase(database.url)
    expect(await checkOf(database.url)).toEqual(ready)
  })

  it('ignores missing indexes for housekeeping and additional objects', async () => {
    await runStatements(
      database.url,
      'drop index quotes_unused_idx',
      'alter table bookings add column channel text',
      'create index on bookings (channel)',
    )
    expect(await checkOf(database.url)).toEqual(ready)
  })

  it.each([
    ['with the record of migrations', ''],
    ['before the record of migrations', 'truncate drizzle.__drizzle_migrations'],
  ])('reports incomplete for a restore that was cut off %s', async (_, cut) => {
    await runStatements(
      database.url,
      `do $$ declare dropped record; begin
         for dropped in select conrelid::regclass as of_table, conname from pg_constraint
           where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
           order by contype
         loop
           execute format('alter table %s drop constraint %I', dropped.of_table, dropped.conname);
         end loop;
       end $$`,
      cut,
    )
    expect(await checkOf(database.url)).toEqual(incomplete('constraint bookings_quote_unique'))
  })

  it('reports pending migrations in an empty database and in an older one', async () => {
    const empty = await createDatabase('')
    onTestFinished(empty.drop)
    expect(await checkOf(empty.url)).toMatchObject({ state: 'pending' })
    const next = withMigration('create index next_index on bookings (tenant_id)')
    const pending = { state: 'pending', reason: 'pending: 9999_next' }
    expect(await checkOf(database.url, next)).toEqual(pending)
  })

  it('stays ready for an older release while a newer one has migrated, also after --back', async () => {
    const [older, newer] = [replicaOn(database.url), withDefinition('9.0.0', 'redeem_quote', note)]
    const pending = { state: 'pending', reason: 'pending: redeem_quote' }
    const next = replicaOn(database.url, newer)
    expect([await older(), await next()]).toEqual([ready, pending])
    await migrateDatabase(database.url, { release: newer })
    expect([await older(), await next()]).toEqual([{ ...ready, newerRelease: '9.0.0' }, ready])
    // A text that was never applied here is pending, although a newer release has migrated.
    const between = withDefinition('8.0.0', 'redeem_quote', (sql) => note(note(sql)))
    expect(await checkOf(database.url, between)).toEqual(pending)
    await migrateDatabase(database.url, { back: true })
    expect([await older(), await next()]).toEqual([ready, pending])
  })

  it('reports pending when another text of the same release was applied', async () => {
    const { version } = withMigration('')
    await migrateDatabase(database.url, { release: withDefinition(version, 'redeem_quote', note) })
    expect(await checkOf(database.url)).toEqual({
      state: 'pending',
      reason: 'pending: redeem_quote',
    })
  })

  it('reports an unreachable database when the connection is refused', async () => {
    const refused = { state: 'unreachable', reason: expect.stringContaining('ECONNREFUSED') }
    expect(await checkOf('postgres://127.0.0.1:1/nowhere')).toEqual(refused)
  })

  it.each([
    ['an unknown role', '', (url: URL) => (url.username = 'nobody_there')],
    ['an unknown database', '', (url: URL) => (url.pathname = '/not_there')],
    ['a role without login', 'nologin', (url: URL) => (url.username = role)],
    ['a role that may not connect', 'login', (url: URL) => (url.username = role)],
  ])('reports a rejected login for %s', async (_, options, change) => {
    if (options !== '') await createRole(options)
    const name = new URL(database.url).pathname.slice(1)
    await runStatements(database.url, `revoke connect on database ${name} from public`)
    expect(await checkOf(urlWith(change))).toMatchObject({ state: 'login rejected' })
  })
})

describe('changes that only new sessions get', () => {
  const name = () => new URL(database.url).pathname.slice(1)
  const changes: [string, () => string, () => string, object][] = [
    [
      'a role that may not log in any more',
      () => `alter role ${role} nologin`,
      () => `alter role ${role} login`,
      { state: 'login rejected' },
    ],
    [
      'a database that takes no writes',
      () => `alter database ${name()} set default_transaction_read_only = on`,
      () => `alter database ${name()} reset default_transaction_read_only`,
      { state: 'read only' },
    ],
    [
      'a role that may not write',
      () => `alter role ${role} set default_transaction_read_only = on`,
      () => `alter role ${role} reset default_transaction_read_only`,
      { state: 'read only' },
    ],
  ]

  it.each(changes)('reports %s within ten seconds', async (_, change, repair, state) => {
    await createRole('login')
    const url = urlWith((to) => (to.username = role))
    let now = 0
    const check = replicaOn(url, undefined, () => now)
    expect(await check()).toEqual(ready)
    await runStatements(inject('postgresUrl'), change())
    // The open session of the check continues.
    now += 9_000
    expect(await check()).toMatchObject(state)
    expect(await check()).toMatchObject(state)
    await runStatements(inject('postgresUrl'), repair())
    expect(await check()).toEqual(ready)
  })

  it('is ready again after a start on a database that took no writes', async () => {
    await runStatements(inject('postgresUrl'), changes[1]?.[1]() ?? '')
    const check = replicaOn(database.url)
    expect(await check()).toMatchObject({ state: 'read only' })
    await runStatements(inject('postgresUrl'), changes[1]?.[2]() ?? '')
    expect(await check()).toEqual(ready)
  })

  it('stays ready while PostgreSQL accepts no further connections', async () => {
    await createRole('login')
    let now = 0
    const check = replicaOn(
      urlWith((url) => (url.username = role)),
      undefined,
      () => now,
    )
    expect(await check()).toEqual(ready)
    await runStatements(inject('postgresUrl'), `alter role ${role} connection limit 1`)
    now += 9_000
    expect(await check()).toEqual(ready)
  })
})

const note = (sql: string) => `-- Of another release.\n${sql}`
