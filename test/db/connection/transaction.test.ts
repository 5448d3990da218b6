import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  closeDatabase,
  type Database,
  openDatabase,
  type StatementRunner,
} from '../../../src/db/connection/database.ts'
import { isRolledBack } from '../../../src/db/connection/failures.ts'
import { requestTimeouts } from '../../../src/db/connection/timeouts.ts'
import { inTransaction, onOneConnection } from '../../../src/db/connection/transaction.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await runStatements(
    testDatabase.url,
    'create table written (id text)',
    // What a constraint that is judged at the end may do: refuse, or meet the end of its session.
    `create function judge() returns trigger language plpgsql as $$
     begin
       if new.id = 'cut off' then perform pg_terminate_backend(pg_backend_pid()); end if;
       if new.id = 'refused' then raise check_violation; end if;
       return null;
     end $$`,
    `create constraint trigger judged after insert on written deferrable initially deferred
     for each row execute function judge()`,
  )
})
afterAll(() => testDatabase.drop())

/** A pool of one connection: whoever uses it next has the one that was given back, or a new one. */
async function withDatabase(
  use: (database: Database) => Promise<void>,
  queryMs = 10_000,
): Promise<void> {
  const database = openDatabase({
    url: testDatabase.url,
    poolMax: 1,
    preparedStatements: true,
    timeouts: { ...requestTimeouts, queryMs, statementMs: 10_000 },
    onConnectionLost() {},
  })
  try {
    await use(database)
  } finally {
    await closeDatabase(database)
  }
}

/** The database's session behind a connection. */
async function sessionOf(pool: StatementRunner['pool']): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  return rows[0]?.pid
}

const nextSession = ({ pool }: Database) =>
  waitFor(() => sessionOf(pool).catch(() => undefined), patienceMs)

const write = ({ pool }: Pick<StatementRunner, 'pool'>, id: string) =>
  pool.query({ text: 'insert into written values ($1)', values: [id] })

const count = async ({ pool }: Database, id: string) =>
  (await pool.query('select from written where id = $1', [id])).rowCount

describe('a transaction', () => {
  it('is said to be done only when it is committed', () =>
    withDatabase(async (database) => {
      const done = (id: string) =>
        inTransaction(database, async (transaction) => void (await write(transaction, id)))
      await expect(done('refused')).rejects.toMatchObject({ code: '23514' })
      await expect(done('cut off')).rejects.toSatisfy((error) => !isRolledBack(error))
      await done('kept')
      expect(await count(database, 'kept')).toBe(1)
      expect([await count(database, 'refused'), await count(database, 'cut off')]).toEqual([0, 0])
    }))

  it('sees what was written while it waited for a lock, whatever the database’s default is (325)', () =>
    withDatabase(async (database) => {
      await database.pool.query("set default_transaction_isolation = 'repeatable read'")
      const { rows } = await inTransaction(database, ({ pool }) =>
        pool.query({ text: 'show transaction_isolation' }),
      )
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
    }))

  it('that failed leaves its connection to the next, with nothing of it', () =>
    withDatabase(async (database) => {
      let session: number | undefined
      const failing = inTransaction(database, async (transaction) => {
        session = await sessionOf(transaction.pool)
        await write(transaction, 'undone')
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await nextSession(database)).toBe(session)
      expect(await count(database, 'undone')).toBe(0)
    }))

  it('that can’t even be rolled back keeps nobody waiting: its connection is ended', () =>
    withDatabase(async (database) => {
      let session: number | undefined
      const stuck = inTransaction(database, async ({ pool }) => {
        session = await sessionOf(pool)
        // The client gives up first, and can't know whether it goes on: the rollback waits behind
        // it, as would whoever had this connection next.
        await pool.query({ text: 'select pg_sleep(60)' })
      })
      await expect(stuck).rejects.toThrow('Query read timeout')
      expect(session).toBeDefined()
      // At once: to wait for its next user to fail would be too late.
      expect(database.pool.totalCount).toBe(0)
      expect(await nextSession(database)).not.toBe(session)
    }, 500))
})

describe('statements on one connection', () => {
  it('leave it to the next when they are done, and have it ended when one failed', () =>
    withDatabase(async (database) => {
      const session = await onOneConnection(database, ({ pool }) => sessionOf(pool))
      expect(await nextSession(database)).toBe(session)
      const failing = onOneConnection(database, ({ pool }) => pool.query({ text: 'select 1 / 0' }))
      await expect(failing).rejects.toMatchObject({ code: '22012' })
      expect(await nextSession(database)).not.toBe(session)
    }))
})
