import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../../src/auth/keyFormat.ts'
import { type CatalogCache, openCatalogCache } from '../../../src/cache/openCaches.ts'
import { parseConfig } from '../../../src/config/environment.ts'
import { findKey } from '../../../src/db/queries/keys/keyLookup.ts'
import { findQuoteInputs } from '../../../src/db/queries/quotes/findQuoteInputs.ts'
import { quoteStore } from '../../../src/db/queries/quotes/storeQuote.ts'
import { quotes } from '../../../src/db/schema/index.ts'
import { currencyDecimals, formatAmount } from '../../../src/domain/money.ts'
import { explainQuote } from '../../../src/domain/pricing/explain.ts'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
import { longRangeProblems } from '../../../src/domain/pricing/priceRequest.ts'
import { parseFleetFile } from '../../../src/fleet/parseFleetFile.ts'
import { issueQuote } from '../../../src/services/bookings/issueQuote.ts'
import { importFleet } from '../../../src/services/importFleet.ts'
import { createApiKey } from '../../../src/services/manageKeys.ts'
import { priceInputs } from '../../domain/pricing/arbitraries.ts'
import { runs } from '../../domain/pricing/runs.ts'
import { importFile } from '../../helpers/fleet.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'

const slug = 'round-trip'
const test = useTestDatabase()
let apiKey: string

beforeAll(async () => {
  await importFleet(
    test.database,
    parseFleetFile(JSON.stringify(fleetFile(fc.sample(offered, 1)[0]))),
  )
  const request = { tenant: slug, name: 'shop', scopes: ['all'] }
  apiKey = (await createApiKey(test.database, request, new Date())).key
})

/** 366 elapsed days can be an hour more in local time. */
function isShortEnough({ pickupAt, dropoffAt, timeZone }: PriceInputs): boolean {
  return longRangeProblems({ from: pickupAt, to: dropoffAt }, timeZone, ['', '']).length === 0
}

/** Returns the rates of which no other before has the same dates. */
const ofOtherDates = (rates: PriceInputs['rates']) => [
  ...new Map(rates.map((rate) => [`${rate.validFrom} ${rate.validTo}`, rate])).values(),
]

/** Inputs that an import accepts: no tiers of 0, no dates twice, and names of one line. */
const offered = priceInputs.filter(isShortEnough).map((inputs): PriceInputs => {
  const { rates, extras } = inputs
  const tier = (minor: bigint | null) => (minor === 0n ? null : minor)
  return {
    ...inputs,
    rates: ofOtherDates(rates).map((rate) => ({
      ...rate,
      dailyMinor: rate.dailyMinor === 0n ? 1n : rate.dailyMinor,
      hourlyMinor: tier(rate.hourlyMinor),
      weeklyMinor: tier(rate.weeklyMinor),
      monthlyMinor: tier(rate.monthlyMinor),
    })),
    extras: extras.map((extra, index) => ({ ...extra, name: `Extra ${index}` })),
  }
})

/** Returns a fleet file for these inputs. */
function fleetFile(inputs: PriceInputs | undefined) {
  if (inputs === undefined) throw new Error('No inputs were drawn')
  const { rates, currency } = inputs
  const decimals = currencyDecimals(currency)
  const amount = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, decimals))
  return {
    tenant: {
      slug,
      name: 'Round trip',
      timezone: inputs.timeZone,
      currency,
      taxPercent: inputs.taxPercent,
      pricesIncludeTax: inputs.pricesIncludeTax,
      gracePeriodMinutes: inputs.gracePeriodMinutes,
      minLeadMinutes: null,
      seasons: inputs.seasons,
    },
    assetGroups: [
      {
        ref: 'group',
        name: 'Group',
        category: 'car',
        rates: rates.map((rate) => ({
          ref: rate.id,
          // Keeps the order of ids, which decides between equal windows.
          id: `0198c000-0000-7000-8000-00000000000${rate.id.at(-1)}`,
          name: rate.name,
          dailyRate: amount(rate.dailyMinor),
          hourlyRate: amount(rate.hourlyMinor),
          weeklyRate: amount(rate.weeklyMinor),
          monthlyRate: amount(rate.monthlyMinor),
          validFrom: rate.validFrom,
          validTo: rate.validTo,
        })),
      },
    ],
    extras: inputs.extras.map(({ name, pricing, unitMinor, maxMinor }, index) => ({
      ref: `extra-${index}`,
      name,
      pricing,
      price: amount(unitMinor),
      // A fleet file has caps for extras per day only.
      maxPrice: pricing === 'per_day' ? amount(maxMinor) : null,
    })),
  }
}

/** Imports the rates, creates the quote and returns what was stored. */
async function quoteAndExplain(catalogs: CatalogCache, inputs: PriceInputs) {
  const { database } = test
  const fleet = await importFile(database, fleetFile(inputs))
  const caller = await findKey(database, hashApiKey(apiKey))
  const [group] = fleet.assetGroups
  if (caller === undefined || group === undefined)
    throw new Error('The import left nothing to rent')
  const deps = {
    storeQuote: quoteStore(database),
    catalogs,
    config: parseConfig({}),
    now: () => new Date(),
  }
  const quote = await issueQuote(
    deps,
    { tenantId: caller.tenant.id, apiKeyId: caller.key.id, sessionId: null },
    {
      assetGroupId: group.id,
      pickupAt: inputs.pickupAt,
      dropoffAt: inputs.dropoffAt,
      extras: inputs.extras.map(({ quantity }, index) => ({
        extraId: fleet.extras[index]?.id ?? '',
        quantity,
      })),
    },
  )
  const [stored] = await database.orm.select().from(quotes).where(eq(quotes.id, quote.id))
  if (stored === undefined) throw new Error('The quote was not stored')
  const frozen = await findQuoteInputs(database, stored)
  if (frozen === undefined) throw new Error('The quote was not stored')
  return { quote, stored, explained: explainQuote(frozen.inputs) }
}

describe('a price from import to explanation', () => {
  // All quotes share one cache without notifications, so it is outdated at every quote.
  it('keeps the price when it is imported, quoted, stored and explained', async () => {
    const catalogs = openCatalogCache(test.database, { rowsMax: 1_000 })
    await fc.assert(
      fc.asyncProperty(offered, async (inputs) => {
        const { totalMinor, breakdown } = priceRental(inputs)
        const { quote, stored, explained } = await quoteAndExplain(catalogs, inputs)
        expect(quote.breakdown.total).toBe(breakdown.total)
        expect(stored.totalMinor).toBe(totalMinor)
        expect(stored.breakdown).toEqual(quote.breakdown)
        expect(explained.at(-1)).toBe(`The total is ${breakdown.total} ${inputs.currency}.`)
      }),
      runs('imported, quoted, stored and explained alike', 400),
    )
  }, 900_000)
})
