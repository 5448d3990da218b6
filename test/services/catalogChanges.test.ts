import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/auth/apiKeys.ts'
import { rememberCatalogs } from '../../src/cache/catalogs.ts'
import { parseConfig } from '../../src/config.ts'
import { findKey } from '../../src/db/keys.ts'
import { createQuote } from '../../src/services/createQuote.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'

let test: OpenTestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.drop())

const pickupAt = new Date(Date.now() + 10 * 86_400_000)
const dropoffAt = new Date(pickupAt.getTime() + 86_400_000 + 20 * 60_000)

/** A shop whose catalog is remembered, and whose changes are told to nobody. */
async function aRememberedShop() {
  const { database } = test
  const tenantId = await aTenant(database)
  const groupId = await aGroup(database, tenantId)
  const extraId = await anExtra(database, tenantId)
  const { key } = await aKey(database, tenantId)
  const record = await findKey(database, hashApiKey(key))
  if (record === undefined) throw new Error('The key was not stored')
  const catalogs = rememberCatalogs(database)
  const deps = { database, catalogs, clock: { now: () => new Date() }, config: parseConfig({}) }
  const quote = (assetGroupId = groupId) =>
    createQuote(
      deps,
      { ...record, sessionId: null },
      {
        ...{ assetGroupId, pickupAt, dropoffAt },
        extras: [{ extraId, quantity: 1 }],
      },
    )
  // 499.00 and 50.00 for a day, 20 minutes for nothing, and 25 % on top.
  expect((await quote()).breakdown.total).toBe('686.25')
  return { tenantId, groupId, quote }
}

const outcome = (quote: Promise<{ breakdown: { total: string } }>) =>
  quote.then(
    ({ breakdown }) => breakdown.total,
    (error: { code: string }) => error.code,
  )

describe('a quote priced by a remembered catalog', () => {
  it.each([
    ['a rate', sql`update rates set daily_minor = 50000`, '687.50'],
    ['an extra', sql`update extras set price_minor = 6000`, '698.75'],
    ['a tax', sql`update tenants set tax_percent = 10`, '603.90'],
    ['whether prices include it', sql`update tenants set prices_include_tax = true`, '549.00'],
    ['a grace period', sql`update tenants set grace_period_minutes = 0`, '872.50'],
    ['a lead time', sql`update tenants set min_lead_minutes = 20000`, 'VALIDATION_ERROR'],
    ['a rate that is gone', sql`delete from rates`, 'NO_RATE_AVAILABLE'],
    ['a rate that is archived', sql`update rates set archived_at = now()`, 'NO_RATE_AVAILABLE'],
    ['a group that is archived', sql`update asset_groups set archived_at = now()`, 'NOT_FOUND'],
    ['an extra that is gone', sql`delete from extras`, 'NOT_FOUND'],
  ])('goes by %s as it was committed', async (_, change, expected) => {
    const { quote } = await aRememberedShop()
    await test.database.orm.execute(change)
    expect(await outcome(quote())).toBe(expected)
  })

  it('knows a group that came a moment ago', async () => {
    const { tenantId, quote } = await aRememberedShop()
    const groupId = await aGroup(test.database, tenantId, { rate: { dailyMinor: 10_000n } })
    expect(await outcome(quote(groupId))).toBe('187.50')
  })

  it('goes by the last of many changes, whoever asks meanwhile', async () => {
    const { groupId, quote } = await aRememberedShop()
    for (let dailyMinor = 10_000; dailyMinor < 20_000; dailyMinor += 400) {
      const asking = quote()
      await test.database.orm.execute(
        sql`update rates set daily_minor = ${dailyMinor} where asset_group_id = ${groupId}`,
      )
      const expected = ((dailyMinor + 5_000) * 1.25) / 100
      expect((await quote()).breakdown.total).toBe(expected.toFixed(2))
      await asking
    }
  })
})
