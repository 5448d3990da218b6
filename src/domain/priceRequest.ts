import type { Catalog, GroupOffer } from './catalog.ts'
import { ApiError, type ErrorDetail, validationError } from './errors.ts'
import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './pricing.ts'
import { longRange } from './range.ts'
import { minuteMs } from './units.ts'

/** The rental that somebody wants to know the price of. */
export interface PriceRequest {
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly extras: readonly { readonly extraId: string; readonly quantity: number }[]
}

/**
 * What the price of a rental is made from, by the tenant's catalog.
 * @throws ApiError VALIDATION_ERROR for a pickup too early, a rental too long or an extra in
 *   another currency, NOT_FOUND for a group or extra the tenant does not offer
 */
export function priceInputs(catalog: Catalog, request: PriceRequest, now: Date): PriceInputs {
  const { terms, minLeadMinutes } = catalog
  const { pickupAt, dropoffAt } = request
  const problems = [
    ...earlyPickup(pickupAt, minLeadMinutes, now),
    ...longRange({ from: pickupAt, to: dropoffAt }, terms.timeZone, 'dropoffDatetime'),
  ]
  if (problems.length > 0) throw validationError(problems)
  const group = catalog.groupsById.get(request.assetGroupId)
  if (group === undefined) throw notOffered('assetGroupId', 'asset group')
  const extras = chooseExtras(catalog, group, request.extras)
  const { currency, rates } = group
  return { ...terms, pickupAt, dropoffAt, currency, rates, extras }
}

/** Decision 13: the tenant's lead time counts from now; null switches the check off. */
function earlyPickup(pickupAt: Date, minLeadMinutes: number | null, now: Date): ErrorDetail[] {
  if (minLeadMinutes === null) return []
  if (pickupAt.getTime() >= now.getTime() + minLeadMinutes * minuteMs) return []
  const message =
    minLeadMinutes === 0
      ? 'must not lie in the past'
      : `must be at least ${minLeadMinutes} minutes from now`
  return [{ path: 'pickupDatetime', message }]
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
      const message = `is priced in ${currency}, this asset group in ${group.currency}`
      throw validationError([{ path, message }])
    }
    return { ...extra, quantity }
  })
}

/** The message names the field; whose id it is stays untold (decision 8). */
export function notOffered(path: string, what: string): ApiError {
  return new ApiError('NOT_FOUND', `${path}: there is no ${what} with this id.`)
}
