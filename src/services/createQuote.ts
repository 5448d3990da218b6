import { findExtras, findGroupRates } from '../db/catalog.ts'
import type { KeyRecord } from '../db/keys.ts'
import { insertQuote } from '../db/quotes.ts'
import type { Deps } from '../deps.ts'
import type { Breakdown } from '../domain/breakdown.ts'
import { DomainError } from '../domain/errors.ts'
import type { ChosenExtra } from '../domain/extras.ts'
import { localDate } from '../domain/period.ts'
import { type PriceInputs, priceRental } from '../domain/pricing.ts'
import { freezeInputs } from '../domain/quotes.ts'
import { selectRate } from '../domain/rates.ts'

const minuteMs = 60_000

export interface QuoteRequest {
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly extras: readonly { readonly extraId: string; readonly quantity: number }[]
}

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

/**
 * Prices a rental by the tenant's rate card and stores the offer with all its inputs (decision 53).
 * @throws DomainError VALIDATION_ERROR for a pickup too early or an extra in another currency,
 *   NOT_FOUND for a group or extra the tenant does not offer, NO_RATE_AVAILABLE
 */
export async function createQuote(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  { tenant, key, sessionId }: QuoteCaller,
  request: QuoteRequest,
): Promise<Quote> {
  refuseEarlyPickup(request.pickupAt, tenant.minLeadMinutes, clock.now())
  const inputs = await priceInputs(database, tenant, request)
  const { totalMinor, breakdown } = priceRental(inputs)
  const { assetGroupId, pickupAt, dropoffAt } = request
  const stored = await insertQuote(database, {
    tenantId: tenant.id,
    apiKeyId: key.id,
    sessionId,
    assetGroupId,
    pickupAt,
    dropoffAt,
    totalMinor,
    currency: inputs.currency,
    inputs: freezeInputs(inputs),
    breakdown,
    ttlSeconds: config.quoteTtlSeconds,
  })
  return { ...stored, assetGroupId, pickupAt, dropoffAt, currency: inputs.currency, breakdown }
}

/** Decision 13: the tenant's lead time counts from now; null switches the check off. */
function refuseEarlyPickup(pickupAt: Date, minLeadMinutes: number | null, now: Date): void {
  if (minLeadMinutes === null) return
  if (pickupAt.getTime() >= now.getTime() + minLeadMinutes * minuteMs) return
  const message =
    minLeadMinutes === 0
      ? 'must not lie in the past'
      : `must be at least ${minLeadMinutes} minutes from now`
  throw new DomainError('VALIDATION_ERROR', 'The request is not valid; see details.', [
    { path: 'pickupDatetime', message },
  ])
}

async function priceInputs(
  database: Deps['database'],
  tenant: KeyRecord['tenant'],
  { assetGroupId, pickupAt, dropoffAt, extras }: QuoteRequest,
): Promise<PriceInputs> {
  const group = await findGroupRates(database, tenant.id, assetGroupId)
  if (group === undefined) throw notOffered('assetGroupId', 'asset group')
  const chosen = await chooseExtras(database, tenant.id, group.currency, extras)
  const rate = selectRate(group.rates, localDate(pickupAt, tenant.timezone))
  if (rate === undefined) {
    throw new DomainError(
      'NO_RATE_AVAILABLE',
      'No rate is configured for this asset group on the pickup date.',
    )
  }
  return {
    pickupAt,
    dropoffAt,
    timeZone: tenant.timezone,
    gracePeriodMinutes: tenant.gracePeriodMinutes,
    currency: group.currency,
    rate,
    extras: chosen,
    taxPercent: tenant.taxPercent,
    pricesIncludeTax: tenant.pricesIncludeTax,
  }
}

async function chooseExtras(
  database: Deps['database'],
  tenantId: string,
  currency: string,
  requested: QuoteRequest['extras'],
): Promise<ChosenExtra[]> {
  const ids = [...new Set(requested.map(({ extraId }) => extraId))]
  const offered = new Map((await findExtras(database, tenantId, ids)).map((row) => [row.id, row]))
  return requested.map(({ extraId, quantity }, index) => {
    const path = `extras.${index}.extraId`
    const extra = offered.get(extraId)
    if (extra === undefined) throw notOffered(path, 'extra')
    if (extra.currency !== currency) {
      throw new DomainError('VALIDATION_ERROR', 'The request is not valid; see details.', [
        { path, message: `is priced in ${extra.currency}, this asset group in ${currency}` },
      ])
    }
    const { id, name, pricing, priceMinor, maxPriceMinor } = extra
    return { id, name, pricing, unitMinor: priceMinor, maxMinor: maxPriceMinor, quantity }
  })
}

/** The message names the field; whose id it is stays untold (decision 8). */
function notOffered(path: string, what: string): DomainError {
  return new DomainError('NOT_FOUND', `${path}: there is no ${what} with this id.`)
}
