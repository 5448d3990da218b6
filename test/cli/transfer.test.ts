import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { version } from '../../src/config/projectRoot.ts'
import { listenerName } from '../../src/db/connection/changeNotifications.ts'
import { placement } from '../../src/db/distribution/placement.ts'
import { tablesInOrder } from '../../src/db/migrations/copyTables.ts'
import { lockForTransfer } from '../../src/db/migrations/databaseUse.ts'
import { migrateDatabase } from '../../src/db/migrations/migrate.ts'
import { createDatabase } from '../helpers/database.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { rowsOf, runStatements } from '../helpers/maintenance.ts'
import {
  type OpenTestDatabase,
  openTestDatabase,
  useTestDatabase,
} from '../helpers/openTestDatabase.ts'
import { openRental, type Rental, reopenRental } from '../helpers/rental.ts'
import { startReplica } from '../helpers/replica.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { commandLineOn } from './commandLine.ts'

const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const
const tables = (database: OpenTestDatabase) =>
  Promise.all(
    tablesInOrder.map(async (name) => {
      const { rows } = await database.database.pool.query(`select t::text as row from ${name} t`)
      return [name, rows.map(({ row }) => row).sort()]
    }),
  )

/** Returns a statement that records migrations by these releases, in order. */
const migratedBy = (...releases: string[]) =>
  `insert into drizzle.__drizzle_migrations (tag, hash, release)
   select 'next', '', release from unnest('{${releases.join(',')}}'::text[]) release`

const source = useTestDatabase()
let rental: Rental
let bookedQuoteId: string
let quoteId: string
let bookingId: string
beforeAll(async () => {
  rental = await openRental(source.database, fleetOf(3))
  bookedQuoteId = await rental.quote(...monday)
  bookingId = await rental.redeem(bookedQuoteId, 'attempt')
  await commandLineOn(source.url)(['bookings', 'confirm', bookingId])
  quoteId = await rental.quote(...monday)
})

async function withEmptyTarget(options: string, use: (url: string) => Promise<void>) {
  const { url, drop } = await createDatabase(options)
  try {
    await use(url)
  } finally {
    await drop()
  }
}

const countOf = async (url: string, query: string) => (await rowsOf(url, query)).length

const transferBetween = (from: OpenTestDatabase, to: OpenTestDatabase, ...more: string[]) =>
  commandLineOn(from.url)(['transfer', '--to', to.url, ...more])
const transferTo = (target: OpenTestDatabase, ...more: string[]) =>
  transferBetween(source, target, ...more)

describe('rental transfer', () => {
  it('copies every table, after which keys, replays and open quotes work', async () => {
    const target = await openTestDatabase()
    const { exitCode, out } = await transferTo(target, '--json')
    expect(exitCode).toBe(0)
    const copied: { name: string; rows: number }[] = JSON.parse(out).tables
    expect(copied).toContainEqual({ name: 'bookings', rows: 1 })
    expect(copied.map(({ name }) => name).sort()).toEqual(
      [...placement.reference, ...placement.distributed].sort(),
    )
    expect(await tables(target)).toEqual(await tables(source))
    const moved = await reopenRental(target.database, rental)
    expect(await moved.redeem(bookedQuoteId, 'attempt')).toBe(bookingId)
    expect(await moved.redeem(quoteId, 'another')).toMatch(/^[\da-f-]{36}$/)
    await target.drop()
  })

  it('leaves an old target with tenants as it is, and does not migrate it', async () => {
    const target = await openTestDatabase()
    await openRental(target.database, fleetOf(1, 'theirs'))
    const { pool } = target.database
    await pool.query(`delete from drizzle.__drizzle_migrations where tag = 'redeem_quote'`)
    const before = await tables(target)
    const { exitCode, error } = await transferTo(target)
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringContaining('has tenants already. Give an empty one.'),
    })
    expect(await tables(target)).toEqual(before)
    const record = `select from drizzle.__drizzle_migrations where tag = 'redeem_quote'`
    expect((await pool.query(record)).rowCount).toBe(0)
    await target.drop()
  })

  it.each([
    ['SQL_ASCII', "The database's encoding is SQL_ASCII"],
    [
      'UTF8',
      'Run `rental migrate`',
      `delete from drizzle.__drizzle_migrations where tag = 'redeem_quote'`,
    ],
    ['UTF8', 'Copy with release 9.0.0', migratedBy('9.0.0')],
    ['UTF8', 'Copy with release 9.1.0', migratedBy('9.1.0', '9.0.0', version)],
    [
      'UTF8',
      'would not copy: column bookings.channel_note, table notes. Nothing was changed.',
      'create table notes (); alter table bookings add column channel_note text',
    ],
  ])(
    'creates nothing in an empty %s target when it reports: %s',
    async (encoding, problem, change = '') => {
      const other = await openTestDatabase()
      await runStatements(other.url, change)
      await withEmptyTarget(`encoding '${encoding}' locale 'C' template template0`, async (url) => {
        const { exitCode, error } = await commandLineOn(other.url)(['transfer', '--to', url])
        expect({ exitCode, error }).toEqual({
          exitCode: 1,
          error: expect.stringContaining(problem),
        })
        const objects = `select from pg_namespace where nspname = 'drizzle'`
        expect(await countOf(url, objects)).toBe(0)
      })
      await other.drop()
    },
  )

  it('leaves behind what this release does not know, with --yes', async () => {
    const other = await openTestDatabase()
    const own = await openRental(other.database, fleetOf(1))
    await own.quote(...monday)
    await runStatements(
      other.url,
      'create table notes as select 1 as note',
      `alter table quotes add column own_note text not null default 'mine'`,
    )
    await withEmptyTarget('', async (url) => {
      const { exitCode, out } = await commandLineOn(other.url)(['transfer', '--to', url, '--yes'])
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: expect.stringContaining('quotes: 1\n'),
      })
      expect(await countOf(url, `select where to_regclass('notes') is not null`)).toBe(0)
    })
    await other.drop()
  })

  it.each([
    [
      'bookings',
      'empty',
      'create table bookings (id int)',
      'objects of the same names: table bookings.',
    ],
    [
      'catalogs',
      'empty',
      'create view catalogs as select 1',
      'objects of the same names: view catalogs.',
    ],
    ['a newer release', 'migrated', migratedBy('9.0.0'), 'Copy with release 9.0.0'],
    [
      'a column that needs a value',
      'migrated',
      `alter table quotes add column own_note text not null, add column own_id int not null default 1,
       add column own_number int generated always as identity`,
      'requires a value for column quotes.own_note, which the copy does not have.',
    ],
  ])('changes nothing in a target with %s', async (_, state, statement, problem) => {
    await withEmptyTarget('', async (url) => {
      if (state === 'migrated') await migrateDatabase(url)
      await runStatements(url, statement)
      const tablesOf = () => rowsOf(url, 'select relname from pg_class order by relname')
      const before = await tablesOf()
      const { exitCode, error } = await commandLineOn(source.url)(['transfer', '--to', url])
      expect({ exitCode, error }).toEqual({ exitCode: 1, error: expect.stringContaining(problem) })
      expect(error).not.toContain('Unexpected')
      expect(await tablesOf()).toEqual(before)
    })
  })

  it('is not cut off by the timeouts of the roles', async () => {
    const large = await openTestDatabase()
    await openRental(large.database, fleetOf(1))
    const role = `mover_${randomBytes(8).toString('hex')}`
    await runStatements(
      large.url,
      `create role ${role} login;
       grant usage on schema drizzle to ${role};
       grant select on all tables in schema public, drizzle to ${role}`,
      `insert into idempotency_records
         (tenant_id, api_key_id, session_scope, idempotency_key, fingerprint, outcome)
       select tenant_id, id, 'server', n::text, sha256(n::text::bytea), 'QUOTE_NOT_FOUND'
       from api_keys, generate_series(1, 100000) n`,
      `alter role ${role} set statement_timeout = '200ms'`,
      `alter role ${role} set lock_timeout = '200ms'`,
      `alter role ${role} set idle_in_transaction_session_timeout = '200ms'`,
      `alter role ${role} set idle_session_timeout = '200ms'`,
    )
    const asRole = (url: string) => Object.assign(new URL(url), { username: role }).href
    await withEmptyTarget(`owner ${role}`, async (url) => {
      const line = commandLineOn(asRole(large.url))
      expect(await line(['transfer', '--to', asRole(url)])).toMatchObject({ exitCode: 0 })
      expect(await countOf(url, 'select from idempotency_records')).toBe(100_000)
    })
    await runStatements(large.url, `drop owned by ${role}; drop role ${role}`)
    await large.drop()
  })

  it('leaves the target empty when the copy of a table fails', async () => {
    for (const table of ['tenants', 'quotes', 'booking_feeds']) {
      const target = await openTestDatabase()
      await runStatements(
        target.url,
        `create function fail() returns trigger language plpgsql as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
        `create trigger fail after insert on ${table} execute function fail()`,
      )
      expect((await transferTo(target)).exitCode).toBe(1)
      expect((await tables(target)).flatMap(([, rows]) => rows)).toEqual([])
      await target.drop()
    }
  })
})

describe('a server and rental transfer', () => {
  const served = useTestDatabase(beforeEach)

  async function start() {
    const replica = await startReplica({ databaseUrl: served.url, redisUrl: inject('redisUrl') })
    onTestFinished(replica.kill)
    return replica
  }

  /** Takes the lock as a transfer does, until the returned client ends. */
  async function transferring(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: served.url })
    await client.connect()
    await waitFor(() => lockForTransfer(client))
    return client
  }

  it('rejects the transfer while a server runs that has had no request', async () => {
    const replica = await start()
    const target = await openTestDatabase()
    expect(await transferBetween(served, target)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('A server is using the database to copy from.'),
    })
    await replica.kill()
    await waitFor(async () => (await transferBetween(served, target)).exitCode === 0)
    await target.drop()
  })

  it('ends a server that starts during the transfer, with the reason', async () => {
    const transfer = await transferring()
    await expect(start()).rejects.toThrow('`rental transfer` copies this database.')
    await transfer.end()
  })

  it('ends a running server that lost its lock to a transfer', async () => {
    const replica = await start()
    const client = new pg.Client({ connectionString: served.url })
    await client.connect()
    await waitFor(async () => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
        [listenerName],
      )
      return lockForTransfer(client)
    })
    expect(await replica.exited).toBe(1)
    expect(replica.lines().at(-1)).toContain('`rental transfer` copies this database.')
    await client.end()
  })
})
