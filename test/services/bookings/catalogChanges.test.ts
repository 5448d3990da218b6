import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../../../src/auth/keyFormat.ts'
import { openCatalogCache } from '../../../src/cache/openCaches.ts'
import { parseConfig } from '../../../src/config/environment.ts'
import { findKey } from '../../../src/db/queries/keys/keyLookup.ts'
import { quoteStore } from '../../../src/db/queries/quotes/storeQuote.ts'
import { issueQuote } from '../../../src/services/bookings/issueQuote.ts'
import {
  type OpenTestDatabase,
  openTestDatabase,
  useTestDatabase,
} from '../../helpers/openTestDatabase.ts'
import { aGroup, aKey, anExtra, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const waitingForExtras = `select from pg_locks l join pg_database d on d.oid = l.database
  where datname = current_database() and relation = 'extras'::regclass and not granted`

const test = useTestDatabase()

const pickupAt = new Date(Date.now() + 10 * 86_400_000)
const dropoffAt = new Date(pickupAt.getTime() + 86_400_000 + 20 * 60_000)

/** Creates a tenant with a cached catalog that receives no change notifications. */
async function aRememberedShop({ database }: OpenTestDatabase = test) {
  // UTC has no clock changes, so the rental is always one day.
  const tenantId = await aTenant(database, { timeZone: 'UTC' })
  const groupId = await aGroup(database, tenantId)
  const extraId = await anExtra(database, tenantId)
  const { key } = await aKey(database, tenantId)
  const record = await findKey(database, hashApiKey(key))
  if (record === undefined) throw new Error('The key was not stored')
  const remembered = openCatalogCache(database, { rowsMax: 1_000 })
  /** Runs `change` between each read of the catalog and its use. */
  const between = { renewals: 0, change: async (): Promise<unknown> => undefined }
  const catalogs = {
    async find(id: string) {
      const catalog = await remembered.find(id)
      await between.change()
      return catalog
    },
    async reload(id: string) {
      between.renewals++
      const catalog = await remembered.reload(id)
      await between.change()
      return catalog
    },
  }
  const config = parseConfig({ QUOTE_TTL_SECONDS: '60' })
  const deps = { storeQuote: quoteStore(database), catalogs, config, now: () => new Date() }
  const quote = (assetGroupId = groupId, sessionId: string | null = null) =>
    issueQuote(
      deps,
      { tenantId, apiKeyId: record.key.id, sessionId },
      {
        assetGroupId,
        pickupAt,
        dropoffAt,
        extras: [{ extraId, quantity: 1 }],
      },
    )
  // 499.00 and 50.00 for a day, 20 free minutes, and 25 % tax.
  const { breakdown, expiresAt } = await quote()
  expect(breakdown.total).toBe('686.25')
  expect(expiresAt.getTime()).toBeLessThan(Date.now() + 61_000)
  return { tenantId, groupId, quote, between }
}

const outcome = (quote: Promise<{ breakdown: { total: string } }>) =>
  quote.then(
    ({ breakdown }) => breakdown.total,
    (error: { code: string }) => error.code,
  )

describe('a quote priced by a cached catalog', () => {
  it.each([
    ['a rate', sql`update rates set daily_minor = 50000`, '687.50'],
    ['a lead time', sql`update tenants set min_lead_minutes = 20000`, 'VALIDATION_ERROR'],
    ['a deleted rate', sql`delete from rates`, 'NO_RATE_AVAILABLE'],
    ['an archived asset group', sql`update asset_groups set archived_at = now()`, 'NOT_FOUND'],
  ])('uses %s as committed when the cached catalog is outdated', async (_, change, expected) => {
    const { quote } = await aRememberedShop()
    await test.database.orm.execute(change)
    expect(await outcome(quote())).toBe(expected)
  })

  it('uses a new asset group when the cached catalog lacks it', async () => {
    const { tenantId, quote } = await aRememberedShop()
    const groupId = await aGroup(test.database, tenantId, { rate: { dailyMinor: 10_000n } })
    expect(await outcome(quote(groupId))).toBe('187.50')
  })

  it('uses a change committed while the catalog is being read', async () => {
    // One connection reads the lists in turn.
    const own = await openTestDatabase(1)
    const holder = new pg.Client({ connectionString: own.url })
    await holder.connect()
    try {
      const { quote } = await aRememberedShop(own)
      await holder.query('update rates set daily_minor = 50000')
      await holder.query('begin')
      await holder.query('lock table extras in access exclusive mode')
      const pending = quote()
      // The extras are read last, so the rates have been read before the next change.
      await waitFor(async () => (await holder.query(waitingForExtras)).rowCount === 1, patienceMs)
      await holder.query('update rates set daily_minor = 60000')
      await holder.query('commit')
      // 600.00 and 50.00, and 25 % tax.
      expect(await outcome(pending)).toBe('812.50')
      expect(await outcome(quote())).toBe('812.50')
    } finally {
      await holder.end()
      await own.drop()
    }
  })

  it('fails with SERVICE_UNAVAILABLE when prices change before every attempt to store the quote', async () => {
    const { tenantId, quote, between } = await aRememberedShop()
    between.change = () =>
      test.database.orm.execute(
        sql`update tenants set tax_percent = tax_percent + 1 where id = ${tenantId}`,
      )
    expect(await outcome(quote())).toBe('SERVICE_UNAVAILABLE')
    expect(between.renewals).toBeLessThan(10)
  })

  it('fails with NOT_FOUND after reloading the catalog once when the asset group is unknown', async () => {
    const { quote, between } = await aRememberedShop()
    expect(await outcome(quote(randomUUID()))).toBe('NOT_FOUND')
    expect(between.renewals).toBe(1)
  })

  it('fails with the database error without a retry', async () => {
    const { quote, between } = await aRememberedShop()
    await expect(quote(undefined, 'no uuid')).rejects.toThrow()
    expect(between.renewals).toBe(0)
  })
})
