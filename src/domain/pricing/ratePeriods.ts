import { chargedDays, dayDate, type Period, type RentalLength } from './period.ts'
import { noRateOn, type Rate, rateOn } from './rates.ts'

/** What prices a day: the rate of its date, or that of the first day (decision 49). */
export const seasonsChoices = ['per_day', 'pickup'] as const

export type Seasons = (typeof seasonsChoices)[number]

interface RatePeriod {
  readonly rate: Rate
  /** The number of the date on which it begins. */
  readonly fromDate: number
  readonly length: { days: number; restMinutes: number }
}

/**
 * A rental by the rates of the dates on which its charged days, and a charged rest, begin: rate periods
 * of days in a row that one rate prices. A charged rest belongs to the last, or is one by itself.
 * @throws ApiError NO_RATE_AVAILABLE if one of these dates has no rate, whatever the seasons
 */
export function ratePeriodsOf(
  rental: Period & { readonly rates: readonly Rate[]; readonly seasons: Seasons },
  charged: RentalLength,
) {
  const { days, restMinutes } = charged
  const begins = chargedDays(charged)
  const firstDate = dayDate(rental, 0)
  const usedRates = new Set<Rate>()
  const ratePeriods: RatePeriod[] = []
  let last: RatePeriod | undefined
  // Leaps from one change of the card to the next, so that a year costs little more than a day.
  for (let day = 0; day < begins; ) {
    const fromDate = dayDate(rental, day)
    const { rate, until } = rateOn(rental.rates, fromDate)
    if (rate === undefined) throw noRateOn(fromDate)
    usedRates.add(rate)
    if (last === undefined || (last.rate !== rate && rental.seasons === 'per_day')) {
      last = { rate, fromDate, length: { days: 0, restMinutes: 0 } }
      ratePeriods.push(last)
    }
    let next = Math.min(begins, until - firstDate + 1)
    // A day that would begin in an hour the clock skips may begin on the date after its own.
    if (dayDate(rental, next - 1) > until) next -= 1
    last.length.days += Math.min(next, days) - day
    if (next === begins) last.length.restMinutes = restMinutes
    day = next
  }
  return { ratePeriods, usedRates: [...usedRates] }
}
