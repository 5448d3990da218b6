import type { NewQuote, StoreQuote } from '../../db/queries/quotes/storeQuote.ts'
import { ApiError, Unavailable } from '../../domain/errors.ts'
import { type Catalog, textsFor } from '../../domain/pricing/catalog.ts'
import { priceRental, renameBreakdown } from '../../domain/pricing/priceRental.ts'
import { type PriceRequest, priceInputs } from '../../domain/pricing/priceRequest.ts'
import { takeSnapshot } from '../../domain/pricing/priceSnapshot.ts'

export type IssuedQuote = Awaited<ReturnType<typeof issueQuote>>

interface QuoteDeps {
  readonly storeQuote: StoreQuote
  readonly catalogs: Record<'find' | 'reload', (tenantId: string) => Catalog | Promise<Catalog>>
  readonly config: { readonly quoteTtlSeconds: number }
  readonly now: () => Date
}

/**
 * Maximum number of attempts. If the catalog changed during each attempt, the caller gets a 503.
 */
const triesMax = 5

/** The API key and the browser session that may book the quote. */
type QuoteOwner = Pick<NewQuote, 'tenantId' | 'apiKeyId' | 'sessionId'>

/** A request for a price, and the `Accept-Language` header with which it came. */
interface QuoteRequest extends PriceRequest {
  readonly acceptLanguage?: string | undefined
}

/**
 * Prices a rental and stores the quote with a snapshot of its inputs. If the cached catalog rejects
 * the request or is outdated, retries with the current catalog.
 * @throws ApiError as `priceInputs` and `priceRental`
 */
export async function issueQuote(deps: QuoteDeps, owner: QuoteOwner, request: QuoteRequest) {
  let catalog = await deps.catalogs.find(owner.tenantId)
  for (let tries = 1; ; tries++) {
    try {
      return await priceAndStore(deps, owner, request, catalog)
    } catch (error) {
      if (!(error instanceof ApiError) || tries === triesMax) throw error
      const current = await deps.catalogs.reload(owner.tenantId)
      if (current === catalog) throw error
      catalog = current
    }
  }
}

/** @throws Unavailable if `catalog` is outdated */
async function priceAndStore(
  { storeQuote, config, now }: QuoteDeps,
  owner: QuoteOwner,
  request: QuoteRequest,
  catalog: Catalog,
) {
  const inputs = priceInputs(catalog, request, now())
  const { totalMinor, breakdown: ownBreakdown, usedRates } = priceRental(inputs)
  const translated = textsFor(catalog, request.acceptLanguage)
  const breakdown = translated ? renameBreakdown(ownBreakdown, translated.texts) : ownBreakdown
  const { assetGroupId, pickupAt, dropoffAt } = request
  const { currency } = inputs
  const stored = await storeQuote({
    ...owner,
    catalogVersion: catalog.version,
    assetGroupId,
    pickupAt,
    dropoffAt,
    totalMinor,
    currency,
    inputs: takeSnapshot(inputs, usedRates),
    breakdown,
    ttlSeconds: config.quoteTtlSeconds,
  })
  if (stored === undefined) throw new Unavailable('catalog_changed')
  const { id, expiresAt } = stored
  const language = translated?.language
  return { id, expiresAt, assetGroupId, pickupAt, dropoffAt, currency, breakdown, language }
}
