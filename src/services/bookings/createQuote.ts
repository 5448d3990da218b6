import type { StoreQuote } from '../../db/queries/quotes.ts'
import { ApiError } from '../../domain/errors.ts'
import type { Catalog } from '../../domain/pricing/catalog.ts'
import { priceRental } from '../../domain/pricing/priceRental.ts'
import { type PriceRequest, priceInputs } from '../../domain/pricing/priceRequest.ts'
import { takeSnapshot } from '../../domain/pricing/priceSnapshot.ts'
import type { Caller } from '../caller.ts'

export type IssuedQuote = Awaited<ReturnType<typeof createQuote>>

interface QuoteDeps {
  readonly storeQuote: StoreQuote
  readonly catalogs: Record<'find' | 'renew', (tenantId: string) => Catalog | Promise<Catalog>>
  readonly clock: { now(): Date }
  readonly config: { readonly quoteTtlSeconds: number }
}

/** A catalog that changed during five tries is being edited: the caller gets 503 and comes back. */
const triesMax = 5

/** The catalog was another one by the time the quote was to be stored. */
export class CatalogChanged extends ApiError {
  constructor() {
    super('SERVICE_UNAVAILABLE')
  }
}

/**
 * Prices a rental by the tenant's catalog and stores the offer with all its inputs (decision 53).
 * The catalog is a remembered one: what it refuses, or offers at a price that has changed since, is
 * tried again by the current one.
 * @throws ApiError what `priceInputs` and `priceRental` refuse
 */
export async function createQuote(deps: QuoteDeps, caller: Caller, request: PriceRequest) {
  const tenantId = caller.tenant.id
  let catalog = await deps.catalogs.find(tenantId)
  for (let tries = 1; ; tries++) {
    try {
      return await storeOffer(deps, caller, request, catalog)
    } catch (error) {
      if (!(error instanceof ApiError) || tries === triesMax) throw error
      const current = await deps.catalogs.renew(tenantId)
      if (current === catalog) throw error
      catalog = current
    }
  }
}

/** @throws CatalogChanged when it has since it was read */
async function storeOffer(
  { storeQuote, clock, config }: QuoteDeps,
  { tenant, key, sessionId }: Caller,
  request: PriceRequest,
  catalog: Catalog,
) {
  const inputs = priceInputs(catalog, request, clock.now())
  const { totalMinor, breakdown, usedRates } = priceRental(inputs)
  const { assetGroupId, pickupAt, dropoffAt } = request
  const { currency } = inputs
  const stored = await storeQuote({
    tenantId: tenant.id,
    catalogVersion: catalog.version,
    apiKeyId: key.id,
    sessionId,
    assetGroupId,
    pickupAt,
    dropoffAt,
    totalMinor,
    currency,
    inputs: takeSnapshot(inputs, usedRates),
    breakdown,
    ttlSeconds: config.quoteTtlSeconds,
  })
  if (stored === undefined) throw new CatalogChanged()
  const { id, expiresAt } = stored
  return { id, expiresAt, assetGroupId, pickupAt, dropoffAt, currency, breakdown }
}
