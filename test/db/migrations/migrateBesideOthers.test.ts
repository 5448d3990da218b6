import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { requestTimeouts } from '../../../src/db/connection/timeouts.ts'
import { migrateDatabase } from '../../../src/db/migrations/migrate.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { withMigration } from '../../helpers/migrations.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const index = 'create index "held" on quotes (created_at)'
interface Setup {
  readonly url: string
  /** Another client's connection. */
  readonly idle: pg.Client
}

/** Wraps a test so that it runs in its own database. */
const beside =
  <Row extends unknown[]>(test: (setup: Setup, ...row: Row) => Promise<void>) =>
  async (...row: Row) => {
    const { url, drop } = await createTestDatabase()
    const idle = new pg.Client({ connectionString: url, application_name: 'somebody' })
    try {
      await idle.connect()
      await test({ url, idle }, ...row)
    } finally {
      await idle.end()
      await drop()
    }
  }

/** Holds a writer's lock on quotes until the transaction ends. */
async function leaveOpen({ idle }: Setup): Promise<void> {
  await idle.query('begin; lock table quotes in row exclusive mode')
}

async function indexState({ idle }: Setup): Promise<boolean | undefined> {
  const state = `select indisvalid as valid from pg_index where indexrelid = to_regclass('held')`
  return (await idle.query(state)).rows[0]?.valid
}

it(
  'an invalid migration fails with its name and SQL error, and is rolled back',
  beside(async ({ url, idle }) => {
    const sql = 'create table half (n int);--> statement-breakpoint\ncreate tabel whole (n int)'
    const wrong = migrateDatabase(url, { release: withMigration(sql), patienceMs: 0 })
    await expect(wrong).rejects.toMatchObject({
      name: 'MigrationError',
      message: 'Migration 9999_next was not applied: syntax error at or near "tabel".',
    })
    expect((await idle.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
  }),
)

describe.concurrent('a migration behind an idle transaction', () => {
  it(
    'stores quotes while the migration waits, then applies the migration',
    beside(async (setup) => {
      const { idle } = setup
      await leaveOpen(setup)
      const migrated = migrateDatabase(setup.url, { release: withMigration(index) })
      const waiting = `select from pg_locks where relation = 'quotes'::regclass and not granted`
      await waitFor(async () => (await idle.query(waiting)).rowCount === 1, patienceMs)
      const asCaller = `set lock_timeout = ${requestTimeouts.lockMs}`
      for (let quotes = 0; quotes < 3; quotes++) {
        const write = 'begin; lock table quotes in row exclusive mode; commit'
        await runStatements(setup.url, asCaller, write)
      }
      await idle.query('commit')
      expect((await migrated).pending).toMatchObject([{ tag: '9999_next' }])
      expect(await indexState(setup)).toBe(true)
    }),
  )

  it(
    'rejects the migration and changes nothing when the lock is not released in time',
    beside(async (setup) => {
      await leaveOpen(setup)
      const given = migrateDatabase(setup.url, {
        release: withMigration(index),
        patienceMs: 1_500,
      })
      await expect(given).rejects.toThrow(
        /Migration 9999_next was not applied: .* not free within 1.5 s/,
      )
      await setup.idle.query('rollback')
      expect(await indexState(setup)).toBeUndefined()
    }),
  )
})
