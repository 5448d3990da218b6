import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashApiKey } from '../../src/auth/apiKeys.ts'
import { findKey } from '../../src/db/keys.ts'
import { createBooking } from '../../src/services/createBooking.ts'
import { insertQuotes } from '../faults/insertQuotes.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { seedBookings } from '../helpers/seedBookings.ts'
import { waitFor } from '../helpers/waitFor.ts'

const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
const redemptions = 20
let test: OpenTestDatabase

beforeAll(async () => {
  // One connection, whose plans are made once.
  test = await openTestDatabase(1)
})
afterAll(() => test.drop())

/** Rows read through the index of unused quotes and through the quotes' key, since the start. */
async function rowsRead(): Promise<{ unused: number; byKey: number }> {
  await test.database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await test.database.pool.query(`
    select sum(idx_tup_read) filter (where indexrelname = 'quotes_unused_idx')::int as unused,
      sum(idx_scan) filter (where indexrelname like '%pk%')::int as "byKey"
    from pg_stat_user_indexes where relname = 'quotes'`)
  return rows[0]
}

it('a redemption finds its quote by the key when the statistics know of no unused quote', async () => {
  const { database } = test
  const tenantId = await aTenant(database)
  const { id: keyId, key } = await aKey(database, tenantId)
  const groupId = await aGroup(database, tenantId)
  const moment = { pickupAt: new Date('2038-06-01Z'), dropoffAt: new Date('2038-06-02Z') }
  const past = Array.from({ length: 4_000 }, () => ({ ...moment, status: 'rejected' as const }))
  await seedBookings(database, { tenantId, apiKeyId: keyId, assetGroupId: groupId }, past)
  await database.pool.query('vacuum analyze quotes')
  const ids = await insertQuotes(database, {
    ...{ tenantId, keyId, groupId },
    ...{ count: 2_000, expiresInMs: 600_000 },
  })
  const record = await findKey(database, hashApiKey(key))
  if (record === undefined) throw new Error('The key was not stored')
  const before = await rowsRead()
  for (const quoteId of ids.slice(0, redemptions)) {
    const caller = { ...record, sessionId: null }
    const { outcome } = await createBooking({ database }, caller, randomUUID(), {
      quoteId,
      customer,
    })
    expect(outcome).toBe('ACCEPTED')
  }
  const after = await waitFor(async () => {
    const now = await rowsRead()
    return now.byKey >= before.byKey + redemptions && now
  })
  expect(after.unused - before.unused).toBe(0)
})
