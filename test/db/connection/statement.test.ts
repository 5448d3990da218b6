import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { closeDatabase } from '../../../src/db/connection/database.ts'
import { inTransaction, onOneConnection } from '../../../src/db/connection/transaction.ts'
import { countAvailability } from '../../../src/db/queries/bookings/availability.ts'
import { catalogReader } from '../../../src/db/queries/catalog/loadCatalog.ts'
import { openPool } from '../../helpers/openPool.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'

const testDatabase = useTestDatabase()

const unknownTenant = randomUUID()
const window = { from: new Date('2038-03-01T10:00Z'), to: new Date('2038-03-02T10:00Z') }

/** Returns the prepared statement names of a session that has run each kind of statement. */
async function preparedNames(preparedStatements: boolean): Promise<string[]> {
  const database = openPool(testDatabase.url, { preparedStatements })
  try {
    await expect(catalogReader(database)(unknownTenant)).rejects.toThrow('without a tenant')
    await countAvailability(database, unknownTenant, unknownTenant, window)
    await inTransaction(database, (transaction) =>
      countAvailability(transaction, unknownTenant, unknownTenant, window),
    )
    await onOneConnection(database, (connection) =>
      countAvailability(connection, unknownTenant, unknownTenant, window),
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
    expect(await preparedNames(true)).toEqual(['catalog_version', 'count_rental'])
  })

  it('sends statements unnamed when prepared statements are off', async () => {
    expect(await preparedNames(false)).toEqual([])
  })
})
