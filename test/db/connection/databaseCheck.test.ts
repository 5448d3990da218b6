import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseCheck } from '../../../src/db/connection/databaseCheck.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'

let database: TestDatabase
const role = `test_role_${randomBytes(8).toString('hex')}`
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Returns a pool of one connection, with an optional session setting. */
function aPool(setting?: string) {
  const options = setting === undefined ? {} : { options: `-c ${setting}` }
  return new pg.Pool({ connectionString: database.url, max: 1, ...options })
}

describe('databaseCheck', () => {
  it.each([
    'select on api_key_secrets',
    'select on idempotency_records',
    'insert on quotes',
    'insert on bookings',
    'insert on idempotency_records',
    'update on quotes',
    'select on catalogs',
  ])('reports unreachable tables when the role lacks %s', async (right) => {
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

  it('reports unreachable tables when the search path misses their schema', async () => {
    const checkPool = aPool('search_path=elsewhere')
    expect(await databaseCheck({ checkPool }, () => {})()).toBe('tables out of reach')
    await checkPool.end()
  })

  it('reports an unreachable database when the connection is refused', async () => {
    const checkPool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/nowhere', max: 1 })
    const check = databaseCheck({ checkPool }, () => {})
    expect(await check()).toBe('unreachable')
    await checkPool.end()
  })
})
