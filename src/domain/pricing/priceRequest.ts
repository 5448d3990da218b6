import { closedProblem } from '../closedProblem.ts'
import { ApiError, type ErrorDetail, validationError } from '../errors.ts'
import type { StationHours } from '../openingHours.ts'
import { pluralize } from '../pluralize.ts'
import { minuteMs } from '../units.ts'
import type { Catalog } from './catalog.ts'
import type { ChosenExtra } from './extras.ts'
import { dayAfterMs } from './period.ts'
import type { PriceInputs } from './priceRental.ts'

/** The longest rental, in days of the tenant's time zone. */
export const rangeDaysMax = 366

export interface PriceRequest {
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly extras: readonly { readonly extraId: string; readonly quantity: number }[]
}

/**
 * Returns the inputs for the price of a rental, from the tenant's catalog.
 * @throws ApiError VALIDATION_ERROR for an early pickup, a long rental, a pickup or drop-off outside of
 * the opening hours, or extras in another currency
 * @throws ApiError NOT_FOUND for a group or an extra that the tenant does not offer
 */
export function priceInputs(catalog: Catalog, request: PriceRequest, now: Date): PriceInputs {
  const { terms, minLeadMinutes, hours } = catalog
  const { pickupAt, dropoffAt } = request
  const range = { from: pickupAt, to: dropoffAt }
  const problems = [
    ...earlyPickupProblems(pickupAt, minLeadMinutes, now),
    ...longRangeProblems(range, terms.timeZone, ['pickupDatetime', 'dropoffDatetime']),
    ...closedProblems(request, hours, terms.timeZone),
  ]
  if (problems.length > 0) throw validationError(problems)
  const { group, extras } = findOffers(catalog, request)
  const { currency, rates } = group
  return { pickupAt, dropoffAt, currency, rates, extras, ...terms }
}

function earlyPickupProblems(pickupAt: Date, minLeadMinutes: number | null, now: Date) {
  if (minLeadMinutes === null) return []
  if (pickupAt.getTime() >= now.getTime() + minLeadMinutes * minuteMs) return []
  const message =
    minLeadMinutes === 0
      ? 'must not lie in the past'
      : `must be at least ${pluralize(minLeadMinutes, 'minute')} from now`
  return [{ path: 'pickupDatetime', message }]
}

/** Returns the problems of a pickup and a drop-off while the tenant is closed. */
function closedProblems(
  { pickupAt, dropoffAt }: Pick<PriceRequest, 'pickupAt' | 'dropoffAt'>,
  hours: StationHours,
  timeZone: string,
): ErrorDetail[] {
  const ends = { pickupDatetime: pickupAt, dropoffDatetime: dropoffAt }
  return Object.entries(ends).flatMap(([path, at]) => {
    const problem = closedProblem(hours, at, timeZone)
    if (problem === undefined) return []
    return { path, message: `must be within the opening hours in ${timeZone}: ${problem}` }
  })
}

/** Returns a problem if a range is longer than 366 local days, otherwise an empty list. */
export function longRangeProblems(
  { from, to }: { readonly from: Date; readonly to: Date },
  timeZone: string,
  [fromName, endPath]: readonly [fromName: string, endPath: string],
): ErrorDetail[] {
  if (to.getTime() <= dayAfterMs(from, rangeDaysMax, timeZone)) return []
  return [{ path: endPath, message: `must be at most ${rangeDaysMax} days after ${fromName}` }]
}

/** Returns the requested group and extras. Throws one error that lists every invalid id. */
function findOffers({ groupsById, extrasById }: Catalog, request: PriceRequest) {
  const unknown: UnknownId[] = []
  const foreign: ErrorDetail[] = []
  const extras: ChosenExtra[] = []
  const group = groupsById.get(request.assetGroupId)
  if (group === undefined) unknown.push({ path: 'assetGroupId', what: 'an asset group' })
  for (const [index, { extraId, quantity }] of request.extras.entries()) {
    const path = `extras.${index}.extraId`
    const offered = extrasById.get(extraId)
    if (offered === undefined) {
      unknown.push({ path, what: 'an extra' })
      continue
    }
    const { currency, ...extra } = offered
    extras.push({ quantity, ...extra })
    if (group === undefined || currency === group.currency) continue
    const message = `is priced in ${currency}, this asset group in ${group.currency}`
    foreign.push({ path, message })
  }
  if (group === undefined || unknown.length > 0) throw notOffered(unknown)
  if (foreign.length > 0) throw validationError(foreign)
  return { group, extras }
}

interface UnknownId {
  readonly path: string
  readonly what: 'an asset group' | 'an extra'
}

/**
 * Returns the 404 for ids that are not offered. The error is the same for unknown and other
 * tenants' ids, so that callers cannot find out which ids exist.
 */
export function notOffered(unknown: readonly UnknownId[]): ApiError {
  const paths = unknown.map(({ path }) => path).join(', ')
  const named = unknown.length === 1 ? `id in ${paths} is` : `ids in ${paths} are`
  const details = unknown.map(({ path, what }) => ({ path, message: `must be the id of ${what}` }))
  return new ApiError('NOT_FOUND', `The ${named} unknown or archived.`, details)
}
