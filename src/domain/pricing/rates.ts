import { ApiError } from '../errors.ts'
import { formatMoney, formatMoneyOrNull } from '../money.ts'
import { pluralize } from '../pluralize.ts'
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
  /** The charged days of the shortest rental that begins at this rate. */
  readonly minDays: number | null
  readonly validFrom: string | null
  readonly validTo: string | null
}

export function formatPrices(rate: Omit<Rate, 'id' | 'currency'>, currency: string) {
  return {
    dailyRate: formatMoney(rate.dailyMinor, currency),
    hourlyRate: formatMoneyOrNull(rate.hourlyMinor, currency),
    weeklyRate: formatMoneyOrNull(rate.weeklyMinor, currency),
    monthlyRate: formatMoneyOrNull(rate.monthlyMinor, currency),
  }
}

interface DatedRate {
  readonly rate: Rate
  readonly from: number
  readonly to: number
}

/**
 * The day number for an open end, so large that a rate without an end is valid longer than any rate
 * with both dates.
 */
const openDays = 10_000_000

/**
 * Returns the rates that are valid on any of these dates. Day numbers make `rateOn` fast for
 * thousands of rates.
 */
export function ratesBetween(rates: readonly Rate[], firstDate: number, lastDate: number) {
  const [first, last] = [formatDate(firstDate), formatDate(lastDate)]
  const dated: DatedRate[] = []
  for (const rate of rates) {
    const { validFrom, validTo } = rate
    if (!isRateListed(rate, first) || (validFrom !== null && validFrom > last)) continue
    const from = validFrom === null ? -openDays : parseDate(validFrom)
    dated.push({ rate, from, to: validTo === null ? openDays : parseDate(validTo) })
  }
  return dated
}

/**
 * Returns the rate of a day number, or undefined if no rate is valid. The result holds for every
 * day up to and including `until`.
 */
export function rateOn(rates: readonly DatedRate[], date: number) {
  let valid: DatedRate | undefined
  let until = openDays
  for (const candidate of rates) {
    if (candidate.to < date) continue
    if (candidate.from > date) {
      until = Math.min(until, candidate.from - 1)
      continue
    }
    until = Math.min(until, candidate.to)
    if (valid === undefined || hasPriorityOver(candidate, valid)) valid = candidate
  }
  return { rate: valid?.rate, until }
}

export function noRateOn(date: number): ApiError {
  return new ApiError(
    'NO_RATE_AVAILABLE',
    `No rate is configured for this asset group on ${formatDate(date)}.`,
  )
}

/**
 * Returns why a rental cannot have this length at the rate of its pickup date, or undefined. Quotes and
 * the widget's prices both use it (docs/pricing.md).
 */
export function lengthProblem({ minDays }: Pick<Rate, 'minDays'>, days: number) {
  if (days >= (minDays ?? 1)) return undefined
  return { charged: `at least ${pluralize(minDays ?? 1, 'day')}`, dropoff: 'later' }
}

type LengthProblem = NonNullable<ReturnType<typeof lengthProblem>>

export function wrongLength({ charged, dropoff }: LengthProblem): ApiError {
  return new ApiError(
    'NO_RATE_AVAILABLE',
    `On this pickup date, this asset group is rented for ${charged}.`,
    [{ path: 'dropoffDatetime', message: `must be ${dropoff}: ${charged} are charged` }],
  )
}

/** Reports whether a rate is listed: its last date has not passed. Future rates are listed. */
export function isRateListed(rate: Pick<Rate, 'validTo'>, today: string): boolean {
  return rate.validTo === null || rate.validTo >= today
}

/**
 * Compares by shortest validity, then latest `validFrom`, then lowest id. Between rates with one open
 * end, `openDays` makes the latest `validFrom` decide, then the earliest `validTo` (docs/pricing.md).
 */
function hasPriorityOver(one: DatedRate, other: DatedRate): boolean {
  const widthDifference = one.to - one.from - (other.to - other.from)
  if (widthDifference !== 0) return widthDifference < 0
  return one.from === other.from ? one.rate.id < other.rate.id : one.from > other.from
}
