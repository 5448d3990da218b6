import { beforeAll, describe, expect, it } from 'vitest'
import {
  closeDatabase,
  type Database,
  type StatementRunner,
} from '../../../src/db/connection/database.ts'
import { isRolledBack } from '../../../src/db/connection/failures.ts'
import { requestTimeouts } from '../../../src/db/connection/timeouts.ts'
import { inTransaction, onOneConnection } from '../../../src/db/connection/transaction.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { openPool } from '../../helpers/openPool.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const testDatabase = useTestDatabase()
beforeAll(async () => {
  await runStatements(
    testDatabase.url,
    'create table written (id text)',
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

/** Runs `use` on a pool of one connection. */
async function withDatabase(
  use: (database: Database) => Promise<void>,
  queryMs = 10_000,
): Promise<void> {
  const timeouts = { ...requestTimeouts, queryMs, statementMs: 10_000 }
  const database = openPool(testDatabase.url, { timeouts })
  try {
    await use(database)
  } finally {
    await closeDatabase(database)
  }
}

/** Returns the server process id behind a connection. */
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

describe('inTransaction', () => {
  it('rejects when the commit fails', () =>
    withDatabase(async (database) => {
      const done = (id: string) =>
        inTransaction(database, async (transaction) => void (await write(transaction, id)))
      await expect(done('refused')).rejects.toMatchObject({ code: '23514' })
      await expect(done('cut off')).rejects.toSatisfy((error) => !isRolledBack(error))
      await done('kept')
      expect(await count(database, 'kept')).toBe(1)
      expect([await count(database, 'refused'), await count(database, 'cut off')]).toEqual([0, 0])
    }))

  it('uses read committed when the database defaults to another isolation level', () =>
    withDatabase(async (database) => {
      await database.pool.query("set default_transaction_isolation = 'repeatable read'")
      const { rows } = await inTransaction(database, ({ pool }) =>
        pool.query({ text: 'show transaction_isolation' }),
      )
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
    }))

  it('rolls back a failed transaction and reuses its connection', () =>
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

  it('closes the connection at once when the query timeout prevents a rollback', () =>
    withDatabase(async (database) => {
      let session: number | undefined
      const stuck = inTransaction(database, async ({ pool }) => {
        session = await sessionOf(pool)
        await pool.query({ text: 'select pg_sleep(60)' })
      })
      await expect(stuck).rejects.toThrow('Query read timeout')
      expect(session).toBeDefined()
      expect(database.pool.totalCount).toBe(0)
      expect(await nextSession(database)).not.toBe(session)
    }, 500))
})

describe('onOneConnection', () => {
  it('reuses the connection after success and closes it after a failed statement', () =>
    withDatabase(async (database) => {
      const session = await onOneConnection(database, ({ pool }) => sessionOf(pool))
      expect(await nextSession(database)).toBe(session)
      const failing = onOneConnection(database, ({ pool }) => pool.query({ text: 'select 1 / 0' }))
      await expect(failing).rejects.toMatchObject({ code: '22012' })
      expect(await nextSession(database)).not.toBe(session)
    }))
})
