import type { StoreQuote } from '../../db/queries/quotes/storeQuote.ts'
import { ApiError } from '../../domain/errors.ts'
import { type Catalog, textsFor } from '../../domain/pricing/catalog.ts'
import { priceRental, renameBreakdown } from '../../domain/pricing/priceRental.ts'
import { type PriceRequest, priceInputs } from '../../domain/pricing/priceRequest.ts'
import { takeSnapshot } from '../../domain/pricing/priceSnapshot.ts'
import type { Caller } from '../caller.ts'

export type IssuedQuote = Awaited<ReturnType<typeof issueQuote>>

interface QuoteDeps {
  readonly storeQuote: StoreQuote
  readonly catalogs: Record<'find' | 'reload', (tenantId: string) => Catalog | Promise<Catalog>>
  readonly clock: { now(): Date }
  readonly config: { readonly quoteTtlSeconds: number }
}

/**
 * Maximum number of attempts. If the catalog changed during each attempt, the caller gets a 503.
 */
const triesMax = 5

/** Thrown when the catalog changed between pricing a quote and storing it. */
export class CatalogChanged extends ApiError {
  constructor() {
    super('SERVICE_UNAVAILABLE')
  }
}

/** A request for a price, and the `Accept-Language` header with which it came. */
interface QuoteRequest extends PriceRequest {
  readonly acceptLanguage?: string | undefined
}

/**
 * Prices a rental and stores the quote with a snapshot of its inputs. If the cached catalog rejects
 * the request or is outdated, retries with the current catalog.
 * @throws ApiError as `priceInputs` and `priceRental`
 */
export async function issueQuote(deps: QuoteDeps, caller: Caller, request: QuoteRequest) {
  const tenantId = caller.tenant.id
  let catalog = await deps.catalogs.find(tenantId)
  for (let tries = 1; ; tries++) {
    try {
      return await priceAndStore(deps, caller, request, catalog)
    } catch (error) {
      if (!(error instanceof ApiError) || tries === triesMax) throw error
      const current = await deps.catalogs.reload(tenantId)
      if (current === catalog) throw error
      catalog = current
    }
  }
}

/** @throws CatalogChanged if `catalog` is outdated */
async function priceAndStore(
  { storeQuote, clock, config }: QuoteDeps,
  { tenant, key, sessionId }: Caller,
  request: QuoteRequest,
  catalog: Catalog,
) {
  const inputs = priceInputs(catalog, request, clock.now())
  const { totalMinor, breakdown: ownBreakdown, usedRates } = priceRental(inputs)
  const translated = textsFor(catalog, request.acceptLanguage)
  const breakdown = translated ? renameBreakdown(ownBreakdown, translated.texts) : ownBreakdown
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
  const language = translated?.language
  return { id, expiresAt, assetGroupId, pickupAt, dropoffAt, currency, breakdown, language }
}
