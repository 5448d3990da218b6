import { describe, expect, it } from 'vitest'
import { closeDatabase, type Database } from '../../../src/db/connection/database.ts'
import { isDatabaseUnavailable } from '../../../src/db/connection/failures.ts'
import {
  connectionSettings,
  requestTimeouts,
  type Timeouts,
} from '../../../src/db/connection/timeouts.ts'
import { openPool } from '../../helpers/openPool.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'

const testDatabase = useTestDatabase()

async function withDatabase<T>(
  changes: Partial<Timeouts>,
  use: (database: Database) => Promise<T>,
  { preparedStatements = true, url = testDatabase.url } = {},
): Promise<T> {
  const timeouts = { ...requestTimeouts, ...changes }
  const database = openPool(url, { preparedStatements, timeouts })
  try {
    return await use(database)
  } finally {
    await closeDatabase(database)
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('requestTimeouts', () => {
  it('limits every wait of a request to three seconds', () => {
    const { connectMs, shareMs, lockMs, statementMs, queryMs } = requestTimeouts
    expect(Math.max(connectMs, lockMs, statementMs, queryMs)).toBeLessThanOrEqual(3_000)
    expect(connectMs).toBeGreaterThanOrEqual(lockMs)
    expect(shareMs).toBeLessThan(lockMs)
  })
})

describe('database timeouts', () => {
  it('cancels a statement in PostgreSQL when it exceeds the statement timeout', async () => {
    await withDatabase({ statementMs: 50 }, async (database) => {
      const error = await failure(database.pool.query('select pg_sleep(30)'))
      expect(error).toMatchObject({ code: '57014' })
      expect(isDatabaseUnavailable(error)).toBe(true)
    })
  })

  it('fails a statement when it exceeds the lock timeout', async () => {
    await withDatabase({}, async (holder) => {
      await holder.pool.query('select pg_advisory_lock(1)')
      await withDatabase({ lockMs: 50 }, async (database) => {
        const error = await failure(database.pool.query('select pg_advisory_lock(1)'))
        expect(error).toMatchObject({ code: '55P03' })
        expect(isDatabaseUnavailable(error)).toBe(true)
      })
    })
  })

  it('closes the connection of an idle transaction without ending the process', async () => {
    await withDatabase({ idleTransactionMs: 50 }, async (database) => {
      const client = await database.pool.connect()
      const lost = new Promise((resolve) => client.once('error', resolve))
      await client.query('begin')
      expect(await lost).toMatchObject({ code: '25P03' })
      client.release(true)
      expect((await database.pool.query('select 1')).rowCount).toBe(1)
    })
  })
})

describe('connection settings', () => {
  const settings = `select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('client_connection_check_interval') as client_check`

  it('ends the session of a disconnected client within 25 s, which releases its locks', () => {
    const { options = '' } = connectionSettings(requestTimeouts, true)
    const setting = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(options)?.[1])
    const silentSeconds =
      setting('tcp_keepalives_idle') +
      setting('tcp_keepalives_interval') * setting('tcp_keepalives_count')
    expect(silentSeconds).toBeLessThanOrEqual(25)
    expect(setting('tcp_user_timeout')).toBeLessThanOrEqual(25_000)
  })

  it('overrides the date style, isolation level and planner defaults of the database', async () => {
    const name = new URL(testDatabase.url).pathname.slice(1)
    const defaults = [
      "datestyle = 'SQL, DMY'",
      "default_transaction_isolation = 'serializable'",
      'enable_seqscan = off',
    ]
    for (const each of defaults) {
      await withDatabase({}, ({ pool }) => pool.query(`ALTER DATABASE "${name}" SET ${each}`))
    }
    const { rows } = await withDatabase({}, ({ pool }) =>
      pool.query(`select timestamptz '2038-03-04T10:00:00Z' as at,
        current_setting('transaction_isolation') as isolation,
        current_setting('enable_seqscan') as "mayReadAll"`),
    )
    const url = new URL(testDatabase.url)
    url.searchParams.set('options', '-c search_path=extras,public -c jit=on')
    const shown = `select current_setting('search_path') as path, current_setting('jit') as jit,
      current_setting('datestyle') as dates`
    const both = await withDatabase({}, ({ pool }) => pool.query(shown), { url: url.href })
    expect(both.rows).toEqual([{ path: 'extras,public', jit: 'on', dates: 'ISO, MDY' }])
    await withDatabase({}, ({ pool }) => pool.query(`ALTER DATABASE "${name}" RESET ALL`))
    expect(rows).toEqual([
      { at: new Date('2038-03-04T10:00:00Z'), isolation: 'read committed', mayReadAll: 'on' },
    ])
  })

  it('sends no connection settings when prepared statements are off', async () => {
    const { rows } = await withDatabase({}, ({ pool }) => pool.query(settings), {
      preparedStatements: false,
    })
    expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0', client_check: '0' }])
  })
})
