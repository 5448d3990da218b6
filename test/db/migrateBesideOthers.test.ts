import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../src/db/failures.ts'
import { migrate } from '../../src/db/migrate.ts'
import { requestTimeouts } from '../../src/db/timeouts.ts'
import { createTestDatabase } from '../helpers/database.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { aMigration } from '../helpers/migrations.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { commandLineOn } from '../operator/commandLine.ts'

const patienceMs = 30_000
const index = 'create index "held" on quotes (created_at)'
const concurrentIndex = `-- outside a transaction: quotes are made meanwhile
create unique index concurrently if not exists "held" on quotes (tenant_id, id, created_at)`

interface Place {
  readonly url: string
  /** Empty. */
  readonly folder: string
  /** Somebody else who is connected. */
  readonly idle: pg.Client
}

/** A test in a database of its own: all of them wait, and may do so at the same time. */
const beside =
  <Row extends unknown[]>(test: (place: Place, ...row: Row) => Promise<void>) =>
  async (...row: Row) => {
    const { url, drop } = await createTestDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'migration-'))
    const idle = new pg.Client({ connectionString: url, application_name: 'somebody' })
    try {
      await idle.connect()
      await test({ url, folder, idle }, ...row)
    } finally {
      await idle.end()
      await drop()
      await rm(folder, { recursive: true })
    }
  }

/** As whoever wrote a quote and then left for lunch: `personal` is in its last statement. */
async function leaveOpen({ idle }: Place): Promise<number> {
  await idle.query('begin')
  await idle.query('lock table quotes in row exclusive mode')
  const { rows } = await idle.query(`select pg_backend_pid() as pid, 'personal'`)
  return rows[0].pid
}

async function indexState({ idle }: Place): Promise<boolean | undefined> {
  const state = `select indisvalid as valid from pg_index where indexrelid = to_regclass('held')`
  return (await idle.query(state)).rows[0]?.valid
}

it(
  'a migration that is wrong fails with what is wrong, at once, and leaves nothing behind',
  beside(async ({ url, folder, idle }) => {
    const sql = 'create table half (n int);--> statement-breakpoint\ncreate tabel whole (n int)'
    const wrong = migrate(url, { folder: await aMigration(folder, sql), patienceMs: 0 })
    await expect(wrong).rejects.toMatchObject({ code: '42601' })
    expect((await idle.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
  }),
)

it(
  'a migration whose connection is lost while it waits for its turn is "not now", and ends no process',
  beside(async ({ url, folder, idle }) => {
    await idle.query('select pg_advisory_lock(7311042)')
    const lost = migrate(url, { folder: await aMigration(folder, index) })
    const failed = lost.catch(isDatabaseUnavailable)
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'rental migrate'`
    await waitFor(async () => (await idle.query(cut)).rowCount === 1, patienceMs)
    expect(await failed).toBe(true)
  }),
)

it(
  'a migration runs in READ COMMITTED whatever the default is (325), and waits half a second for all its locks together',
  beside(async ({ url, folder, idle }) => {
    const name = new URL(url).pathname.slice(1)
    await idle.query(`alter database ${name} set default_transaction_isolation = 'serializable'`)
    const seen = `create table seen as select current_setting('transaction_isolation') as isolation,
      extract(epoch from current_setting('lock_timeout')::interval)::float as "leftSeconds"`
    // When the time is used up: none at all would mean to wait without end.
    const late = `create table late as select current_setting('lock_timeout') as left`
    const statements = ['select pg_sleep(0.2)', seen, 'select pg_sleep(0.31)', late]
    const sql = statements.join('\n--> statement-breakpoint\n')
    await migrate(url, { folder: await aMigration(folder, sql) })
    const { rows } = await idle.query('select * from seen')
    expect(rows).toEqual([{ isolation: 'read committed', leftSeconds: expect.any(Number) }])
    expect(rows[0].leftSeconds).toBeGreaterThan(0)
    expect(rows[0].leftSeconds).toBeLessThanOrEqual(0.3)
    expect((await idle.query('select * from late')).rows).toEqual([{ left: '1ms' }])
  }),
)

describe.concurrent('a migration behind an idle transaction', () => {
  it(
    'says who is in the way, lets quotes pass meanwhile, and is applied afterwards',
    beside(async (place) => {
      const { idle } = place
      const pid = await leaveOpen(place)
      const told: string[] = []
      const folder = await aMigration(place.folder, index)
      const migrated = migrate(place.url, { folder, onBlocked: (line) => told.push(line) })
      await waitFor(() => told.length > 0, patienceMs)
      const asCaller = `set lock_timeout = ${requestTimeouts.lockMs}`
      for (let quotes = 0; quotes < 3; quotes++) {
        const write = 'begin; lock table quotes in row exclusive mode; commit'
        await runStatements(place.url, asCaller, write)
      }
      expect(told.join('\n')).toMatch(
        new RegExp(
          String.raw`^Waiting for process ${pid} \(somebody, idle in transaction, transaction since 2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ\)\.`,
        ),
      )
      expect(told.join()).not.toContain('personal')
      await idle.query('commit')
      expect(await migrated).toEqual(['9999_next'])
      expect(await indexState(place)).toBe(true)
    }),
  )

  it(
    'says who is in the way next, when the first one has gone',
    beside(async (place) => {
      const next = new pg.Client({ connectionString: place.url, application_name: 'another' })
      await next.connect()
      const pids = [await leaveOpen(place)]
      const told: string[] = []
      const folder = await aMigration(place.folder, index)
      const migrated = migrate(place.url, { folder, onBlocked: (line) => told.push(line) })
      await waitFor(() => told.length > 0, patienceMs)
      pids.push(await leaveOpen({ ...place, idle: next }))
      await place.idle.query('commit')
      await waitFor(() => told.at(-1)?.includes(`process ${pids[1]} (another,`), patienceMs)
      expect(told[0]).toContain(`process ${pids[0]} (somebody,`)
      await next.query('commit')
      expect(await migrated).toEqual(['9999_next'])
      await next.end()
    }),
  )

  it(
    'is given up with a sentence when that lasts, and has changed nothing',
    beside(async (place) => {
      const { idle } = place
      const pid = await leaveOpen(place)
      const told: string[] = []
      const given = migrate(place.url, {
        folder: await aMigration(place.folder, index),
        patienceMs: 1_500,
        onBlocked: (line) => told.push(line),
      })
      await expect(given).rejects.toThrow(
        new RegExp(
          `Migration 9999_next was not applied: .* not free within 1.5 s. Blocked by: process ${pid} \\(somebody`,
        ),
      )
      // Once, however often it was tried.
      expect(told).toHaveLength(1)
      await idle.query('rollback')
      expect(await indexState(place)).toBeUndefined()
    }),
  )
})

describe.concurrent('a migration of two tables', () => {
  it.each([
    [
      'gives up before a caller who reads both the other way round is ended for a deadlock',
      ...['1s', `relation = 'quotes'::regclass and not granted`],
    ],
    [
      'is tried again when it is the one that was ended',
      ...['100ms', `relation = 'bookings'::regclass and granted`],
    ],
  ])(
    '%s',
    beside<[string, string, string]>(async (place, _, deadlockTimeout, begun) => {
      const { idle } = place
      await idle.query('begin; lock table quotes in access share mode')
      await runStatements(
        place.url,
        `do $$ begin
         execute format('alter database %I set deadlock_timeout = ''${deadlockTimeout}''', current_database());
       end $$`,
      )
      const folder = await aMigration(
        place.folder,
        [
          'lock table bookings in access exclusive mode',
          'select pg_sleep(0.3)',
          'lock table quotes in access exclusive mode',
        ].join('\n--> statement-breakpoint\n'),
      )
      const migrated = migrate(place.url, { folder })
      const locks = `select from pg_locks where mode = 'AccessExclusiveLock' and ${begun}`
      await waitFor(async () => (await idle.query(locks)).rowCount === 1, patienceMs)
      await idle.query('select from bookings')
      await idle.query('commit')
      expect(await migrated).toEqual(['9999_next'])
    }),
  )
})

describe.concurrent('an index that is built outside a transaction', () => {
  it(
    'is built while others write',
    beside(async (place) => {
      const { idle } = place
      const told: string[] = []
      await leaveOpen(place)
      const folder = await aMigration(place.folder, concurrentIndex)
      const migrated = migrate(place.url, { folder, onBlocked: (line) => told.push(line) })
      await waitFor(() => told.length > 0, patienceMs)
      const write = 'lock table quotes in row exclusive mode nowait'
      await runStatements(place.url, `begin; ${write}; commit`)
      await idle.query('commit')
      await migrated
      expect(await indexState(place)).toBe(true)
      expect(await migrate(place.url, { folder })).toEqual([])
    }),
  )

  it(
    'is built again when its last build was cut off',
    beside(async (place) => {
      const { idle } = place
      await leaveOpen(place)
      const folder = await aMigration(place.folder, concurrentIndex)
      await expect(migrate(place.url, { folder, patienceMs: 1_000 })).rejects.toThrow('Blocked by')
      await idle.query('rollback')
      expect(await indexState(place)).toBe(false)
      expect(await migrate(place.url, { folder })).toEqual(['9999_next'])
      expect(await indexState(place)).toBe(true)
      // And not once more where it was built, but the end of the migration cut off.
      const built = async () => (await idle.query(`select to_regclass('held')::oid as built`)).rows
      const before = await built()
      await idle.query(`delete from drizzle.__drizzle_migrations where created_at =
        (select max(created_at) from drizzle.__drizzle_migrations)`)
      expect(await migrate(place.url, { folder })).toEqual(['9999_next'])
      expect(await built()).toEqual(before)
    }),
  )
})

describe.concurrent('a role', () => {
  it(
    'may have timeouts that are shorter than a migration',
    beside(async (place) => {
      const { idle } = place
      await idle.query(`do $$ begin
      execute format('alter database %I set statement_timeout = 50', current_database());
    end $$`)
      const folder = await aMigration(place.folder, 'select pg_sleep(0.2)')
      expect(await migrate(place.url, { folder })).toEqual(['9999_next'])
    }),
  )

  it(
    'that may not migrate is told so in a sentence',
    beside(async (place) => {
      const { idle } = place
      const name = `reader_${randomBytes(4).toString('hex')}`
      await idle.query(`create role ${name} login password 'reader'`)
      const url = new URL(place.url)
      url.username = name
      url.password = 'reader'
      const { exitCode, error } = await commandLineOn(url.href)(['migrate'])
      await idle.query(`drop role ${name}`)
      expect([exitCode, error]).toEqual([
        1,
        `The role "${name}" may not migrate this database (permission denied for schema drizzle). ` +
          'Run the command as the role that owns its tables.\n',
      ])
    }),
  )
})
