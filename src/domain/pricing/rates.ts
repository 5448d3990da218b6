import { ApiError } from '../errors.ts'
import { formatMoney, formatMoneyOrNull } from '../money.ts'
import { readDate, writeDate } from './period.ts'

/** A line of the rate card. Dates are YYYY-MM-DD in the tenant's zone; null leaves an end open. */
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

export function writePrices(rate: Omit<Rate, 'id' | 'currency'>, currency: string) {
  return {
    dailyRate: formatMoney(rate.dailyMinor, currency),
    hourlyRate: formatMoneyOrNull(rate.hourlyMinor, currency),
    weeklyRate: formatMoneyOrNull(rate.weeklyMinor, currency),
    monthlyRate: formatMoneyOrNull(rate.monthlyMinor, currency),
  }
}

/** Later than any date that can be booked. */
const never = '9999-12-31'

/**
 * The rate valid on the date of this number; undefined: NO_RATE_AVAILABLE (decision 49). `until` is
 * the number of the last date for which that is sure to stay so.
 */
export function rateOn(rates: readonly Rate[], dateNumber: number) {
  const date = writeDate(dateNumber)
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
    if (rate === undefined || precedes(candidate, rate)) rate = candidate
  }
  return { rate, until: Math.min(readDate(firstEnd), readDate(nextBegin) - 1) }
}

export function noRateOn(date: number): ApiError {
  return new ApiError(
    'NO_RATE_AVAILABLE',
    `No rate is configured for this asset group on ${writeDate(date)}.`,
  )
}

/** Rates whose last day has passed leave the list; future ones stay in it (decision 11). */
export function isRateListed(rate: Pick<Rate, 'validTo'>, today: string): boolean {
  return rate.validTo === null || rate.validTo >= today
}

/** Narrowest window, then latest validFrom, then lowest id (decision 49). */
function precedes(rate: Rate, other: Rate): boolean {
  const widthDifference = windowDays(rate) - windowDays(other)
  if (widthDifference !== 0) return widthDifference < 0
  const from = rate.validFrom ?? ''
  const otherFrom = other.validFrom ?? ''
  return from === otherFrom ? rate.id < other.id : from > otherFrom
}

/**
 * For an open end, a date further away than any: one open end is wider than any closed window, two
 * are wider than one; of windows open at one end the one within the other is the narrower.
 */
const openDays = 10_000_000

function windowDays({ validFrom, validTo }: Rate): number {
  const to = validTo === null ? openDays : readDate(validTo)
  return to - (validFrom === null ? -openDays : readDate(validFrom))
}
