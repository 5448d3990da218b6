import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseState, databaseCheck } from '../../src/db/databaseCheck.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { runStatements } from '../helpers/maintenance.ts'

let database: TestDatabase
const role = `test_role_${randomBytes(8).toString('hex')}`
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** One connection, with a setting of its session. */
function aPool(setting?: string) {
  const options = setting === undefined ? {} : { options: `-c ${setting}` }
  return new pg.Pool({ connectionString: database.url, max: 1, ...options })
}

describe('the check of the database', () => {
  it('takes a role that may not read the record of migrations for one that is served', async () => {
    await runStatements(
      database.url,
      `create role ${role}; grant select, insert, update on all tables in schema public to ${role}`,
    )
    const checkPool = aPool(`role=${role}`)
    const complaints: unknown[] = []
    const check = databaseCheck({ checkPool }, (error) => complaints.push(error))
    const states: DatabaseState[] = [await check(), await check()]
    await checkPool.end()
    await runStatements(database.url, `drop owned by ${role}; drop role ${role}`)
    expect(states).toEqual(['ready', 'ready'])
    expect(complaints).toHaveLength(1)
  })

  it.each([
    'select on api_key_secrets',
    'select on idempotency_records',
    'insert on quotes',
    'insert on bookings',
    'insert on idempotency_records',
    'update on quotes',
    'select on catalogs',
  ])('notices a role without %s', async (right) => {
    await runStatements(
      database.url,
      `create role ${role}; grant select, insert, update on all tables in schema public to ${role};
       revoke ${right} from ${role}`,
    )
    const checkPool = aPool(`role=${role}`)
    const check = databaseCheck({ checkPool }, () => {})
    expect(await check()).toBe('tables out of reach')
    await runStatements(database.url, `grant ${right} to ${role}`)
    expect(await check()).toBe('ready')
    await checkPool.end()
    await runStatements(database.url, `drop owned by ${role}; drop role ${role}`)
  })

  it('is made once for all who ask at the same time, and again for the next', async () => {
    const checkPool = aPool()
    const statements: unknown[] = []
    const counted = new Proxy(checkPool, {
      get: (pool, name) =>
        name === 'query'
          ? (text: never, values: never) => {
              statements.push(text)
              return pool.query(text, values)
            }
          : Reflect.get(pool, name),
    })
    const check = databaseCheck({ checkPool: counted }, () => {})
    await check()
    for (const asked of [1, 2]) {
      statements.length = 0
      const states = await Promise.all(Array.from({ length: 50 }, check))
      expect([new Set(states), statements.length, asked]).toEqual([new Set(['ready']), 1, asked])
    }
    await checkPool.end()
  })

  it('notices a search path that does not lead to the tables', async () => {
    const checkPool = aPool('search_path=elsewhere')
    expect(await databaseCheck({ checkPool }, () => {})()).toBe('tables out of reach')
    await checkPool.end()
  })

  it('finds one unreachable that goes away after it was ready', async () => {
    const checkPool = aPool()
    const check = databaseCheck({ checkPool }, () => {})
    expect(await check()).toBe('ready')
    await checkPool.end()
    expect(await check()).toBe('unreachable')
  })

  it('finds a database that nobody can connect to unreachable', async () => {
    const checkPool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/nowhere', max: 1 })
    const check = databaseCheck({ checkPool }, () => {})
    expect(await check()).toBe('unreachable')
    await checkPool.end()
  })
})
