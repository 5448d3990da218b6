import { randomUUID } from 'node:crypto'
import { hashApiKey } from '../../src/auth/keyFormat.ts'
import { openCatalogCache } from '../../src/cache/openCaches.ts'
import { parseConfig } from '../../src/config/environment.ts'
import type { Database } from '../../src/db/connection/database.ts'
import { redeemQuote } from '../../src/db/queries/bookings/redeemQuote.ts'
import { findKey } from '../../src/db/queries/keys/keyLookup.ts'
import { quoteStore } from '../../src/db/queries/quotes/storeQuote.ts'
import { ApiError } from '../../src/domain/errors.ts'
import type { BookingDetails } from '../../src/input/bookingDetails.ts'
import { issueQuote } from '../../src/services/bookings/issueQuote.ts'
import type { importFleet } from '../../src/services/importFleet.ts'
import { createApiKey } from '../../src/services/manageKeys.ts'
import { importFile } from './fleet.ts'

type Details = Partial<BookingDetails>

const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }

/** A tenant with a fleet and a key, and functions that quote and book with the key. */
export interface Rental {
  readonly fleet: Awaited<ReturnType<typeof importFleet>>
  readonly key: string
  /** Quotes the first group and returns the quote's ID. */
  quote(from: string, to: string): Promise<string>
  /** Books a quote and returns the booking's ID. */
  redeem(quoteId: string, idempotencyKey: string, details?: Details): Promise<string>
  /** Quotes and books the first group, with `extraQuantity` of the first extra. Returns the ID. */
  book(from: string, to: string, details?: Details, extraQuantity?: number): Promise<string>
}

/** Imports a fleet file and creates a key. */
export async function openRental(database: Database, file: unknown): Promise<Rental> {
  const fleet = await importFile(database, file)
  const request = { tenant: fleet.slug, name: 'shop', scopes: ['all'] }
  const { key } = await createApiKey(database, request, new Date())
  return reopenRental(database, { fleet, key })
}

/** Returns a rental whose fleet and key already exist in the database. */
export async function reopenRental(
  database: Database,
  { fleet, key }: Pick<Rental, 'fleet' | 'key'>,
): Promise<Rental> {
  const catalogs = openCatalogCache(database, { rowsMax: 1_000 })
  const deps = {
    storeQuote: quoteStore(database),
    catalogs,
    config: parseConfig({}),
    now: () => new Date(),
  }
  const record = await findKey(database, hashApiKey(key))
  const assetGroupId = fleet.assetGroups[0]?.id
  if (record === undefined || assetGroupId === undefined) throw new Error('The fleet has no group')
  const owner = { tenantId: record.tenant.id, apiKeyId: record.key.id, sessionId: null }
  const quote = async (from: string, to: string, extraQuantity = 0) => {
    const period = { pickupAt: new Date(from), dropoffAt: new Date(to) }
    const offered = extraQuantity > 0 ? fleet.extras.slice(0, 1) : []
    const extras = offered.map(({ id }) => ({ extraId: id, quantity: extraQuantity }))
    return (await issueQuote(deps, owner, { assetGroupId, ...period, extras })).id
  }
  const redeem = async (quoteId: string, idempotencyKey: string, details: Details = {}) => {
    const redemption = { ...owner, quoteId, idempotencyKey, details: { customer, ...details } }
    const result = await redeemQuote(database, redemption)
    if (result.outcome !== 'ACCEPTED') throw new ApiError(result.outcome)
    return result.booking.id
  }
  return {
    fleet,
    key,
    quote,
    redeem,
    async book(from, to, details = {}, extraQuantity = 0) {
      return redeem(await quote(from, to, extraQuantity), randomUUID(), details)
    },
  }
}
