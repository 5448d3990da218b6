import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseState, databaseCheck } from '../../src/db/pendingMigrations.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { runStatements } from '../helpers/maintenance.ts'

let database: TestDatabase
const role = `test_role_${randomBytes(8).toString('hex')}`
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('the check of the database', () => {
  it('takes a role that may not read the record of migrations for one that is served', async () => {
    await runStatements(database.url, `create role ${role}`)
    const probe = new pg.Pool({
      connectionString: database.url,
      options: `-c role=${role}`,
      max: 1,
    })
    const complaints: unknown[] = []
    const check = databaseCheck({ probe }, (error) => complaints.push(error))
    const states: DatabaseState[] = [await check(), await check()]
    await probe.end()
    await runStatements(database.url, `drop role ${role}`)
    expect(states).toEqual(['ready', 'ready'])
    expect(complaints).toHaveLength(1)
  })

  it('finds one unreachable that goes away after it was ready', async () => {
    const probe = new pg.Pool({ connectionString: database.url, max: 1 })
    const check = databaseCheck({ probe }, () => {})
    expect(await check()).toBe('ready')
    await probe.end()
    expect(await check()).toBe('unreachable')
  })

  it('finds a database that nobody can connect to unreachable', async () => {
    const probe = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/nowhere', max: 1 })
    const check = databaseCheck({ probe }, () => {})
    expect(await check()).toBe('unreachable')
    await probe.end()
  })
})
