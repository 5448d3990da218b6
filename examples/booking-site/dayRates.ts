import type { QuoteRequest, Rate } from '../../clients/typescript/index.ts'
import { dateAt, daysLater } from './stationTime.ts'

/**
 * The rates of the days of a period, each once; empty if a day has none. A guide only: the quote
 * decides, and a tenant may let the first day's rate price them all.
 */
export function dayRates(
  rates: readonly Rate[],
  { pickupDatetime, dropoffDatetime }: Pick<QuoteRequest, 'pickupDatetime' | 'dropoffDatetime'>,
  timeZone: string,
): Rate[] {
  const first = dateAt(Date.parse(pickupDatetime), timeZone)
  const end = dateAt(Date.parse(dropoffDatetime), timeZone)
  const found = new Set<Rate>()
  for (let date = first; date === first || date < end; date = daysLater(date, 1)) {
    const rate = rateOn(rates, date)
    if (rate === undefined) return []
    found.add(rate)
  }
  return [...found]
}

/** The most special rate on that day. */
function rateOn(rates: readonly Rate[], date: string): Rate | undefined {
  const valid = rates.filter(
    ({ validFrom, validTo }) => (validFrom ?? '') <= date && date <= (validTo ?? '9999'),
  )
  const daysOf = ({ validFrom, validTo }: Rate) =>
    Date.parse(validTo ?? '9999-12-31') - Date.parse(validFrom ?? '0001-01-01')
  return valid.sort((a, b) => daysOf(a) - daysOf(b))[0]
}
