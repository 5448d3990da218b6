import { chargedDays, dayDate, type Period, type RentalLength } from './period.ts'
import { noRateOn, type Rate, rateOn } from './rates.ts'

/** What prices a day: the rate of its date, or that of the first day (decision 49). */
export const seasonsChoices = ['per_day', 'pickup'] as const

export type Seasons = (typeof seasonsChoices)[number]

/**
 * A rental by the rates of the dates on which its charged days, and a charged rest, begin: stretches
 * of days in a row that one rate prices. A charged rest belongs to the last, or is one by itself.
 * @throws ApiError NO_RATE_AVAILABLE if one of these dates has no rate, whatever the seasons
 */
export function stretchesOf(
  rental: Period & { readonly rates: readonly Rate[]; readonly seasons: Seasons },
  charged: RentalLength,
) {
  const runs = runsOf(rental, rental.rates, chargedDays(charged))
  const [first] = runs
  if (first === undefined) throw new Error('Bug: a rental has no day and no rest')
  const usedRates = [...new Set(runs.map((run) => run.rate))]
  if (rental.seasons === 'pickup') {
    const { rate, fromDate } = first
    return { stretches: [{ rate, fromDate, length: charged }], usedRates }
  }
  const stretches = runs.map(({ rate, fromDate, begins }, index) => {
    const hasRest = charged.restMinutes > 0 && index === runs.length - 1
    const length = hasRest
      ? { days: begins - 1, restMinutes: charged.restMinutes }
      : { days: begins, restMinutes: 0 }
    return { rate, fromDate, length }
  })
  return { stretches, usedRates }
}

/** How many days, and a rest, begin in a row on dates of one rate. */
interface Run {
  readonly rate: Rate
  /** The number of the date on which it begins. */
  readonly fromDate: number
  begins: number
}

/** Leaps from one change of the card to the next, so that a year costs little more than a day. */
function runsOf(period: Period, rates: readonly Rate[], days: number): Run[] {
  const firstDate = dayDate(period, 0)
  const runs: Run[] = []
  let last: Run | undefined
  for (let day = 0; day < days; ) {
    const fromDate = dayDate(period, day)
    const { rate, until } = rateOn(rates, fromDate)
    if (rate === undefined) throw noRateOn(fromDate)
    let next = Math.min(days, until - firstDate + 1)
    // A day that would begin in an hour the clock skips may begin on the date after its own.
    if (dayDate(period, next - 1) > until) next -= 1
    if (last?.rate !== rate) {
      last = { rate, fromDate, begins: 0 }
      runs.push(last)
    }
    last.begins += next - day
    day = next
  }
  return runs
}
