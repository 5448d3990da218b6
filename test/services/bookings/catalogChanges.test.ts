import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../../src/auth/apiKeys.ts'
import { openCatalogCache } from '../../../src/cache/openCaches.ts'
import { parseConfig } from '../../../src/config/environment.ts'
import { findKey } from '../../../src/db/queries/keyLookup.ts'
import { quoteStore } from '../../../src/db/queries/quotes.ts'
import { createQuote } from '../../../src/services/bookings/createQuote.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../helpers/openTestDatabase.ts'
import { aGroup, aKey, anExtra, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const waitingForExtras = `select from pg_locks l join pg_database d on d.oid = l.database
  where datname = current_database() and relation = 'extras'::regclass and not granted`

let test: OpenTestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.drop())

const pickupAt = new Date(Date.now() + 10 * 86_400_000)
const dropoffAt = new Date(pickupAt.getTime() + 86_400_000 + 20 * 60_000)

/** A shop whose catalog is remembered, and whose changes are told to nobody. */
async function aRememberedShop({ database }: OpenTestDatabase = test) {
  // With a clock that never changes, the day from now on is always 24 hours.
  const tenantId = await aTenant(database, { timeZone: 'UTC' })
  const groupId = await aGroup(database, tenantId)
  const extraId = await anExtra(database, tenantId)
  const { key } = await aKey(database, tenantId)
  const record = await findKey(database, hashApiKey(key))
  if (record === undefined) throw new Error('The key was not stored')
  const remembered = openCatalogCache(database, { rowsMax: 1_000 })
  /** What happens between each reading of the catalog and what is then done by it. */
  const between = { renewals: 0, change: async (): Promise<unknown> => undefined }
  const catalogs = {
    async find(id: string) {
      const catalog = await remembered.find(id)
      await between.change()
      return catalog
    },
    async renew(id: string) {
      between.renewals++
      const catalog = await remembered.renew(id)
      await between.change()
      return catalog
    },
  }
  const clock = { now: () => new Date() }
  const config = parseConfig({ QUOTE_TTL_SECONDS: '60' })
  const deps = { storeQuote: quoteStore(database), catalogs, clock, config }
  const quote = (assetGroupId = groupId, sessionId: string | null = null) =>
    createQuote(
      deps,
      { ...record, sessionId },
      {
        ...{ assetGroupId, pickupAt, dropoffAt },
        extras: [{ extraId, quantity: 1 }],
      },
    )
  // 499.00 and 50.00 for a day, 20 minutes for nothing, and 25 % on top.
  const { breakdown, expiresAt } = await quote()
  expect(breakdown.total).toBe('686.25')
  // Microseconds of the database's are rounded, those of ours are cut off.
  expect(expiresAt.getTime()).toBeLessThan(Date.now() + 61_000)
  return { tenantId, groupId, quote, between }
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

  it('goes by a change that came while its rates were read', async () => {
    // One connection reads one list after the other.
    const own = await openTestDatabase(1)
    const holder = new pg.Client({ connectionString: own.url })
    await holder.connect()
    try {
      const { quote } = await aRememberedShop(own)
      await holder.query('update rates set daily_minor = 50000')
      await holder.query('begin')
      await holder.query('lock table extras in access exclusive mode')
      const asking = quote()
      // The extras are read last: what is read of the rates by now is of before the next change.
      await waitFor(async () => (await holder.query(waitingForExtras)).rowCount === 1, patienceMs)
      await holder.query('update rates set daily_minor = 60000')
      await holder.query('commit')
      // 600.00 and 50.00, and 25 % on top.
      expect(await outcome(asking)).toBe('812.50')
      expect(await outcome(quote())).toBe('812.50')
    } finally {
      await holder.end()
      await own.drop()
    }
  })

  it('is given up when the prices change each time before it is stored', async () => {
    const { tenantId, quote, between } = await aRememberedShop()
    between.change = () =>
      test.database.orm.execute(
        sql`update tenants set tax_percent = tax_percent + 1 where id = ${tenantId}`,
      )
    expect(await outcome(quote())).toBe('SERVICE_UNAVAILABLE')
    expect(between.renewals).toBeLessThan(10)
  })

  it('is refused when the current catalog was asked once, and not again', async () => {
    const { quote, between } = await aRememberedShop()
    expect(await outcome(quote(randomUUID()))).toBe('NOT_FOUND')
    expect(between.renewals).toBe(1)
  })

  it('fails with what the database says, without another try', async () => {
    const { quote, between } = await aRememberedShop()
    await expect(quote(undefined, 'no uuid')).rejects.toThrow()
    expect(between.renewals).toBe(0)
  })
})
