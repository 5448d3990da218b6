import { ApiError } from '../errors.ts'
import { formatMoney, formatMoneyOrNull } from '../money.ts'
import { formatDate, parseDate } from './period.ts'

/** A rate and the local dates it covers, YYYY-MM-DD, both included. Null means no limit. */
export interface Rate {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly dailyMinor: bigint
  readonly hourlyMinor: bigint | null
  readonly weeklyMinor: bigint | null
  readonly monthlyMinor: bigint | null
  readonly validFrom: string | null
  readonly validTo: string | null
}

/** Formats the prices of a rate as decimal strings. */
export function formatPrices(rate: Omit<Rate, 'id' | 'currency'>, currency: string) {
  return {
    dailyRate: formatMoney(rate.dailyMinor, currency),
    hourlyRate: formatMoneyOrNull(rate.hourlyMinor, currency),
    weeklyRate: formatMoneyOrNull(rate.weeklyMinor, currency),
    monthlyRate: formatMoneyOrNull(rate.monthlyMinor, currency),
  }
}

/** A date after any that can be booked. */
const never = '9999-12-31'

/**
 * Returns the rate of a day number, or undefined if no rate is valid. The result holds for every
 * day up to and including `until`.
 */
export function rateOn(rates: readonly Rate[], dateNumber: number) {
  const date = formatDate(dateNumber)
  let rate: Rate | undefined
  let firstEnd = never
  let nextBegin = never
  for (const candidate of rates) {
    const { validFrom, validTo } = candidate
    if (!isRateListed(candidate, date)) continue
    if (validFrom !== null && validFrom > date) {
      if (validFrom < nextBegin) nextBegin = validFrom
      continue
    }
    if (validTo !== null && validTo < firstEnd) firstEnd = validTo
    if (rate === undefined || hasPriorityOver(candidate, rate)) rate = candidate
  }
  return { rate, until: Math.min(parseDate(firstEnd), parseDate(nextBegin) - 1) }
}

/** Returns the error for a day number without a rate. */
export function noRateOn(date: number): ApiError {
  return new ApiError(
    'NO_RATE_AVAILABLE',
    `No rate is configured for this asset group on ${formatDate(date)}.`,
  )
}

/** Reports whether a rate is listed: its last date has not passed. Future rates are listed. */
export function isRateListed(rate: Pick<Rate, 'validTo'>, today: string): boolean {
  return rate.validTo === null || rate.validTo >= today
}

/** Compares by shortest validity, then latest `validFrom`, then lowest id (docs/fleet.md). */
function hasPriorityOver(rate: Rate, other: Rate): boolean {
  const widthDifference = windowDays(rate) - windowDays(other)
  if (widthDifference !== 0) return widthDifference < 0
  const from = rate.validFrom ?? ''
  const otherFrom = other.validFrom ?? ''
  return from === otherFrom ? rate.id < other.id : from > otherFrom
}

/**
 * The day number for an open end, so large that a rate without an end is valid longer than any rate
 * with both dates.
 */
const openDays = 10_000_000

function windowDays({ validFrom, validTo }: Rate): number {
  const to = validTo === null ? openDays : parseDate(validTo)
  return to - (validFrom === null ? -openDays : parseDate(validFrom))
}
