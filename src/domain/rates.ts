const dayMs = 86_400_000

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

/** The rate valid on the pickup date; undefined means NO_RATE_AVAILABLE (decision 49). */
export function selectRate(rates: readonly Rate[], pickupDate: string): Rate | undefined {
  let selected: Rate | undefined
  for (const rate of rates) {
    if (!isValidOn(rate, pickupDate)) continue
    if (selected === undefined || precedes(rate, selected)) selected = rate
  }
  return selected
}

/** Rates whose last day has passed leave the list; future ones stay in it (decision 11). */
export function isRateListed(rate: Pick<Rate, 'validTo'>, today: string): boolean {
  return rate.validTo === null || rate.validTo >= today
}

function isValidOn(rate: Rate, date: string): boolean {
  return (rate.validFrom === null || rate.validFrom <= date) && isRateListed(rate, date)
}

/** Narrowest window, then latest validFrom, then lowest id. */
function precedes(rate: Rate, other: Rate): boolean {
  const widthDifference = windowWidth(rate) - windowWidth(other)
  if (widthDifference !== 0) return widthDifference < 0
  const from = rate.validFrom ?? ''
  const otherFrom = other.validFrom ?? ''
  if (from !== otherFrom) return from > otherFrom
  return rate.id < other.id
}

/** One open end is wider than any closed window, and two open ends are wider than one. */
const oneEndOpen = Number.MAX_SAFE_INTEGER - 1
const bothEndsOpen = Number.MAX_SAFE_INTEGER

function windowWidth({ validFrom, validTo }: Rate): number {
  if (validFrom === null && validTo === null) return bothEndsOpen
  if (validFrom === null || validTo === null) return oneEndOpen
  return (Date.parse(validTo) - Date.parse(validFrom)) / dayMs
}
