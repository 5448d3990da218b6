import type { Catalog, GroupOffer } from './catalog.ts'
import { DomainError } from './errors.ts'
import type { ChosenExtra } from './extras.ts'
import { localDate } from './period.ts'
import type { PriceInputs } from './pricing.ts'
import { selectRate } from './rates.ts'

const minuteMs = 60_000

/** The rental that somebody wants to know the price of. */
export interface PriceRequest {
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly extras: readonly { readonly extraId: string; readonly quantity: number }[]
}

/**
 * What the price of a rental is made from, by the tenant's catalog.
 * @throws DomainError VALIDATION_ERROR for a pickup too early or an extra in another currency,
 *   NOT_FOUND for a group or extra the tenant does not offer, NO_RATE_AVAILABLE
 */
export function priceInputs(catalog: Catalog, request: PriceRequest, now: Date): PriceInputs {
  const { minLeadMinutes, ...terms } = catalog.terms
  const { pickupAt, dropoffAt } = request
  refuseEarlyPickup(pickupAt, minLeadMinutes, now)
  const group = catalog.groupsById.get(request.assetGroupId)
  if (group === undefined) throw notOffered('assetGroupId', 'asset group')
  const extras = chooseExtras(catalog, group, request.extras)
  const rate = selectRate(group.rates, localDate(pickupAt, terms.timeZone))
  if (rate === undefined) {
    throw new DomainError(
      'NO_RATE_AVAILABLE',
      'No rate is configured for this asset group on the pickup date.',
    )
  }
  return { ...terms, pickupAt, dropoffAt, currency: group.currency, rate, extras }
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

function chooseExtras(
  { extrasById }: Catalog,
  group: GroupOffer,
  requested: PriceRequest['extras'],
): ChosenExtra[] {
  return requested.map(({ extraId, quantity }, index) => {
    const path = `extras.${index}.extraId`
    const offered = extrasById.get(extraId)
    if (offered === undefined) throw notOffered(path, 'extra')
    const { currency, ...extra } = offered
    if (currency !== group.currency) {
      throw new DomainError('VALIDATION_ERROR', 'The request is not valid; see details.', [
        { path, message: `is priced in ${currency}, this asset group in ${group.currency}` },
      ])
    }
    return { ...extra, quantity }
  })
}

/** The message names the field; whose id it is stays untold (decision 8). */
function notOffered(path: string, what: string): DomainError {
  return new DomainError('NOT_FOUND', `${path}: there is no ${what} with this id.`)
}
