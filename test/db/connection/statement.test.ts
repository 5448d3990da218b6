import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '../../../src/db/connection/database.ts'
import { inTransaction, onOneConnection } from '../../../src/db/connection/transaction.ts'
import { countAvailability } from '../../../src/db/queries/availability.ts'
import { catalogReader } from '../../../src/db/queries/catalog.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.drop())

const nobody = randomUUID()
const window = { from: new Date('2038-03-01T10:00Z'), to: new Date('2038-03-02T10:00Z') }

/** Returns the prepared statement names of a session that has run each kind of statement. */
async function keptNames(preparedStatements: boolean): Promise<string[]> {
  const options = { url: testDatabase.url, poolMax: 1, onConnectionLost() {} }
  const database = openDatabase({ ...options, preparedStatements })
  try {
    await expect(catalogReader(database)(nobody)).rejects.toThrow('without a tenant')
    await countAvailability(database, nobody, nobody, window)
    await inTransaction(database, (transaction) =>
      countAvailability(transaction, nobody, nobody, window),
    )
    await onOneConnection(database, (connection) =>
      countAvailability(connection, nobody, nobody, window),
    )
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from pg_prepared_statements order by name',
    )
    return rows.map(({ name }) => name)
  } finally {
    await closeDatabase(database)
  }
}

describe('named statements', () => {
  it('prepares named statements once per session when prepared statements are on', async () => {
    expect(await keptNames(true)).toEqual(['catalog_version', 'group_stock'])
  })

  it('sends statements unnamed when prepared statements are off', async () => {
    expect(await keptNames(false)).toEqual([])
  })
})
