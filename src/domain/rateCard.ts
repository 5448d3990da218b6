import { formatMoney } from './money.ts'
import { formatDate, parseDate } from './pricing/period.ts'
import { rangeDaysMax } from './pricing/priceRequest.ts'

interface CardRate {
  readonly name: string
  readonly dailyMinor: bigint
  readonly weeklyMinor: bigint | null
  readonly monthlyMinor: bigint | null
  readonly validFrom: string | null
  readonly validTo: string | null
}

interface CardGroup {
  readonly ref: string
  readonly currency: string
  readonly vehicles: number
  readonly rates: readonly CardRate[]
}

/** Describes what of a group cannot be rented from `today` (YYYY-MM-DD) on, or is priced oddly. */
export function groupWarnings({ ref, currency, vehicles, rates }: CardGroup, today: string) {
  const warnings = vehicles === 0 ? [`${ref} has no vehicle.`] : []
  if (rates.length === 0) return [...warnings, `${ref} has no rate.`]
  const gaps = datesWithoutRate(rates, parseDate(today))
  if (gaps.length > 0) warnings.push(`${ref} has no rate ${gaps.join(', ')}.`)
  const price = (minor: bigint) => formatMoney(minor, currency)
  for (const { name, dailyMinor: day, weeklyMinor, monthlyMinor } of rates) {
    const tiers = [
      ['week', weeklyMinor, 7],
      ['month', monthlyMinor, 30],
    ] as const
    for (const [tier, minor, days] of tiers) {
      const compared = `a ${tier} costs ${price(minor ?? 0n)}`
      if (minor !== null && minor < day)
        warnings.push(`${ref} / ${name}: ${compared}, less than a day (${price(day)}).`)
      if (minor !== null && minor > day * BigInt(days))
        warnings.push(`${ref} / ${name}: ${compared}, more than ${days} days of ${price(day)}.`)
    }
  }
  return warnings
}

/** Returns the periods of the next 366 days on which no rate is valid. */
function datesWithoutRate(rates: readonly CardRate[], today: number): string[] {
  const end = today + rangeDaysMax - 1
  const valid = rates
    .map(({ validFrom, validTo }) => ({
      from: validFrom === null ? today : parseDate(validFrom),
      to: validTo === null ? end : parseDate(validTo),
    }))
    .toSorted((a, b) => a.from - b.from)
  const gaps: string[] = []
  let next = today
  for (const { from, to } of [...valid, { from: end + 1, to: end }]) {
    const last = Math.min(from - 1, end)
    if (last > next) gaps.push(`from ${formatDate(next)} to ${formatDate(last)}`)
    if (last === next) gaps.push(`on ${formatDate(next)}`)
    next = Math.max(next, to + 1)
  }
  return gaps
}

/** Reports whether a price is a tenth or ten times of the one that it replaces, or further off. */
export const isOrderOfMagnitude = (before: bigint, after: bigint) =>
  before > 0n && after > 0n && (after >= before * 10n || before >= after * 10n)
