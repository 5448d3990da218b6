import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, type Database } from '../../../src/db/connection/database.ts'
import { isDatabaseUnavailable } from '../../../src/db/connection/failures.ts'
import { requestTimeouts } from '../../../src/db/connection/timeouts.ts'
import { findKey } from '../../../src/db/queries/keys/keyLookup.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { openPool } from '../../helpers/openPool.ts'
import { waitFor } from '../../helpers/waitFor.ts'

let test: TestDatabase
let database: Database
const open = ({
  url = test.url,
  preparedStatements = true,
  queryMs = 10_000,
  onConnectionLost = (_: Error): void => {},
} = {}) =>
  openPool(url, {
    preparedStatements,
    timeouts: { ...requestTimeouts, lockMs: 100, statementMs: 10_000, queryMs },
    onConnectionLost,
  })
beforeAll(async () => {
  test = await createTestDatabase()
  await runStatements(test.url, 'create table read_by_all (n int)')
  database = open()
})
afterAll(async () => {
  await closeDatabase(database)
  await test.drop()
})

const query = (text: string, values: unknown[] = [], name = '', of = database) =>
  of.reads.pool.query<Record<string, unknown>>({ name, text, values })
const session = async () => (await query('select pg_backend_pid() as pid')).rows[0]?.['pid']
/** Runs queries concurrently and returns the value or the error of each. */
const outcomes = async (...questions: Promise<{ rows: Record<string, unknown>[] }>[]) =>
  (await Promise.allSettled(questions)).map((each) =>
    each.status === 'fulfilled' ? Object.values(each.value.rows[0] ?? {})[0] : each.reason,
  )

describe('pipelined reads', () => {
  it('serves 50 concurrent reads on two connections, each with its own result', async () => {
    const numbers = Array.from({ length: 50 }, (_, n) => n)
    const responses = await Promise.all(
      numbers.map((n) => query('select $1::int as n, pg_backend_pid() as pid', [n], 'numbered')),
    )
    expect(responses.map(({ rows }) => rows[0]?.['n'])).toEqual(numbers)
    expect(new Set(responses.map(({ rows }) => rows[0]?.['pid'])).size).toBe(2)
  })

  it('looks keys up when every pool connection is in use', async () => {
    const taken = await database.pool.connect()
    expect(await findKey(database, Buffer.alloc(32, 'guessed'))).toBeUndefined()
    taken.release()
  })

  it('returns the other reads of a batch when PostgreSQL rejects one', async () => {
    const divide = (by: number) => query('select 6 / $1::int as of', [by], 'divided')
    const [two, rejected, three, six] = await outcomes(divide(3), divide(0), divide(2), divide(1))
    expect([two, three, six]).toEqual([2, 3, 6])
    expect(rejected).toMatchObject({ code: '22012' })
  })

  it('fails all reads of a batch as unavailable when preparing their statement times out on a lock', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin; lock table read_by_all')
    const read = () => query('select count(*)::int as n from read_by_all', [], 'locked')
    const failures = await outcomes(read(), read(), read(), read())
    await holder.query('rollback')
    holder.release()
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
    expect(await outcomes(read(), read(), read())).toEqual([0, 0, 0])
  })

  it('fails a read as unavailable when its connection is closed, then opens a new one', async () => {
    const pid = await session()
    const [cut] = await outcomes(query('select pg_terminate_backend($1)', [pid]))
    expect(isDatabaseUnavailable(cut)).toBe(true)
    const next = await waitFor(() => session().catch(() => undefined))
    expect(next).not.toBe(pid)
  })

  it('fails all reads of a connection as unavailable when one exceeds the query timeout', async () => {
    const impatient = open({ queryMs: 500 })
    const sleep = () => query('select pg_sleep(9)', [], '', impatient)
    const one = () => query('select 1 as n', [], '', impatient)
    const failures = await outcomes(sleep(), sleep(), one(), one())
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
    expect(await waitFor(() => one().catch(() => undefined))).toMatchObject({ rowCount: 1 })
    await closeDatabase(impatient)
  })

  it('fails one read, and keeps its connection and the others, when it waits too long for slow reads', async () => {
    const impatient = open({ queryMs: 4_000 })
    const pids = async () => {
      const pid = () => query('select pg_backend_pid() as pid', [], '', impatient)
      return new Set(await outcomes(pid(), pid()))
    }
    const before = await pids()
    const sleep = (seconds: number) => query('select pg_sleep($1)', [seconds], '', impatient)
    const both = (seconds: number) => [sleep(seconds), sleep(seconds)]
    const results = await outcomes(...both(2.5), ...both(2.5), ...both(0))
    expect(results.map(isDatabaseUnavailable)).toEqual([false, false, true, true, true, true])
    // Both connections are free again once each runs one of two statements.
    const after = await waitFor(async () => {
      const used = await pids()
      return used.size === before.size ? used : undefined
    })
    expect(after).toEqual(before)
    await closeDatabase(impatient)
  })

  it('sends reads through the pool when prepared statements are off', async () => {
    const other = open({ preparedStatements: false })
    await other.reads.pool.query({ text: 'select 1' })
    const { pool, pipeline } = other
    expect([pool, pipeline.pool].map(({ totalCount }) => totalCount)).toEqual([1, 0])
    await closeDatabase(other)
  })
})
