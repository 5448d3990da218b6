import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '../../../src/db/connection/database.ts'
import { databaseCheck } from '../../../src/db/connection/databaseCheck.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'

let database: TestDatabase
const role = `test_role_${randomBytes(8).toString('hex')}`
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Opens `url` and returns the result of its check. */
async function checkOf(url: string) {
  const opened = openDatabase({
    url,
    poolMax: 1,
    preparedStatements: true,
    onConnectionLost: () => {},
  })
  const result = await databaseCheck(opened, () => {})()
  await closeDatabase(opened)
  return result
}

/** Returns the URL of the database with a session setting. */
function urlWith(setting: string): string {
  const url = new URL(database.url)
  url.searchParams.set('options', `-c ${setting}`)
  return url.href
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
    const url = urlWith(`role=${role}`)
    expect(await checkOf(url)).toBe('tables out of reach')
    await runStatements(database.url, `grant ${right} to ${role}`)
    expect(await checkOf(url)).toBe('ready')
    await runStatements(database.url, `drop owned by ${role}; drop role ${role}`)
  })

  it('reports unreachable tables when the search path misses their schema', async () => {
    expect(await checkOf(urlWith('search_path=elsewhere'))).toBe('tables out of reach')
  })

  it('reports an unreachable database when the connection is refused', async () => {
    expect(await checkOf('postgres://127.0.0.1:1/nowhere')).toBe('unreachable')
  })
})
