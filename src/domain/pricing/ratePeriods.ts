import { chargedDays, dayDate, type Period, type RentalLength } from './period.ts'
import { lengthProblem, noRateOn, type Rate, rateOn, ratesBetween, wrongLength } from './rates.ts'

/** The rate that prices a day: the rate of its own date, or the rate of the pickup date. */
export const seasonsChoices = ['per_day', 'pickup'] as const

export type Seasons = (typeof seasonsChoices)[number]

interface RatePeriod {
  readonly rate: Rate
  /** The day number on which the period begins. */
  readonly fromDate: number
  readonly length: { days: number; restMinutes: number }
}

/**
 * Splits a rental into consecutive days with the same rate; with `seasons: 'pickup'` there is one
 * period. Charged minutes after the last day belong to the rate of the date on which they begin.
 * @throws ApiError NO_RATE_AVAILABLE if one of these dates has no rate, with either `seasons`, or
 * if the rental is shorter than the rate of its pickup date requires
 */
export function ratePeriodsOf(
  rental: Period & { readonly rates: readonly Rate[]; readonly seasons: Seasons },
  charged: RentalLength,
) {
  const { days, restMinutes } = charged
  const begins = chargedDays(charged)
  const firstDate = dayDate(rental, 0)
  const rates = ratesBetween(rental.rates, firstDate, dayDate(rental, begins - 1))
  const ratePeriods: RatePeriod[] = []
  let last: RatePeriod | undefined
  // Skips to the next rate change, so that pricing a year takes little longer than pricing a day.
  for (let day = 0; day < begins; ) {
    const fromDate = dayDate(rental, day)
    const { rate, until } = rateOn(rates, fromDate)
    if (rate === undefined) throw noRateOn(fromDate)
    const problem = last === undefined && lengthProblem(rate, begins)
    if (problem) throw wrongLength(problem)
    if (last === undefined || (last.rate !== rate && rental.seasons === 'per_day')) {
      last = { rate, fromDate, length: { days: 0, restMinutes: 0 } }
      ratePeriods.push(last)
    }
    let next = Math.min(begins, until - firstDate + 1)
    // A day that would begin in a skipped local hour can begin on the next date.
    if (dayDate(rental, next - 1) > until) next -= 1
    last.length.days += Math.min(next, days) - day
    if (next === begins) last.length.restMinutes = restMinutes
    day = next
  }
  return ratePeriods
}
