import type { KeyRecord } from '../db/keys.ts'
import { insertQuote } from '../db/quotes.ts'
import type { Deps } from '../deps.ts'
import type { Breakdown } from '../domain/breakdown.ts'
import type { Catalog } from '../domain/catalog.ts'
import { DomainError } from '../domain/errors.ts'
import { type PriceRequest, priceInputs } from '../domain/priceRequest.ts'
import { priceRental } from '../domain/pricing.ts'
import { freezeInputs } from '../domain/quotes.ts'

export interface Quote {
  readonly id: string
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly currency: string
  readonly breakdown: Breakdown
  readonly expiresAt: Date
}

interface QuoteCaller extends KeyRecord {
  readonly sessionId: string | null
}

type QuoteDeps = Pick<Deps, 'database' | 'catalogs' | 'clock' | 'config'>

/** The catalog has changed between two tries: nobody does that all the time. */
const triesMax = 5

/**
 * Prices a rental by the tenant's catalog and stores the offer with all its inputs (decision 53).
 * The catalog is a remembered one, so what follows from it counts only if it is still the tenant's:
 * an offer is stored on that condition, and before a refusal is said it is read again.
 * @throws DomainError what `priceInputs` and `priceRental` refuse
 */
export async function createQuote(
  deps: QuoteDeps,
  caller: QuoteCaller,
  request: PriceRequest,
): Promise<Quote> {
  const tenantId = caller.tenant.id
  let catalog = await deps.catalogs.find(tenantId)
  for (let tries = 0; tries < triesMax; tries++) {
    const offer = await storeOffer(deps, caller, request, catalog).catch(refusalOnly)
    if (offer !== undefined && !(offer instanceof DomainError)) return offer
    const current = await deps.catalogs.renew(tenantId)
    if (offer !== undefined && current === catalog) throw offer
    catalog = current
  }
  throw new DomainError('SERVICE_UNAVAILABLE', 'The rates are changing. Repeat the request.')
}

/** The stored offer; undefined when the catalog has changed since it was read. */
async function storeOffer(
  { database, clock, config }: QuoteDeps,
  { tenant, key, sessionId }: QuoteCaller,
  request: PriceRequest,
  catalog: Catalog,
): Promise<Quote | undefined> {
  const inputs = priceInputs(catalog, request, clock.now())
  const { totalMinor, breakdown, usedRates } = priceRental(inputs)
  const { assetGroupId, pickupAt, dropoffAt } = request
  const { currency } = inputs
  const stored = await insertQuote(database, {
    tenantId: tenant.id,
    catalogVersion: catalog.version,
    apiKeyId: key.id,
    sessionId,
    assetGroupId,
    pickupAt,
    dropoffAt,
    totalMinor,
    currency,
    inputs: freezeInputs(inputs, usedRates),
    breakdown,
    ttlSeconds: config.quoteTtlSeconds,
  })
  if (stored === undefined) return undefined
  return { ...stored, assetGroupId, pickupAt, dropoffAt, currency, breakdown }
}

function refusalOnly(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  throw error
}
