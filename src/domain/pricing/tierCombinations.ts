import { chargedDays, type RentalLength, startedHours } from './period.ts'
import type { Rate } from './rates.ts'

const monthDays = 30
const weekDays = 7

export type TierPrices = Pick<Rate, 'dailyMinor' | 'hourlyMinor' | 'weeklyMinor' | 'monthlyMinor'>

export type TierCombination = ReturnType<typeof combinationsOf>[number]

/**
 * Returns the cheapest combination of tiers for a rental. Equal prices are resolved by no hours,
 * then most months, then most weeks.
 */
export function cheapestCombination(length: RentalLength, tiers: TierPrices): TierCombination {
  return combinationCandidates(length, tiers).reduce((cheapest, combination) =>
    combination.amountMinor < cheapest.amountMinor ? combination : cheapest,
  )
}

/**
 * Returns the combinations that can be the cheapest, preferred ones first. Charged minutes beyond
 * the last day cost one more day, or started hours.
 */
export function combinationCandidates(length: RentalLength, tiers: TierPrices): TierCombination[] {
  const combinations = combinationsOf(chargedDays(length), 0, tiers)
  const hours = startedHours(length)
  if (hours === 0 || !isOffered(tiers.hourlyMinor)) return combinations
  return combinations.concat(combinationsOf(length.days, hours, tiers))
}

/** Reports whether a tier has a price. A price of 0 does not count: longer rentals would be free. */
export function isOffered(tierMinor: bigint | null): tierMinor is bigint {
  return tierMinor !== null && tierMinor > 0n
}

function combinationsOf(daysToCover: number, hours: number, tiers: TierPrices) {
  const combinations = []
  const { dailyMinor, hourlyMinor, weeklyMinor, monthlyMinor } = tiers
  const monthsMax = isOffered(monthlyMinor) ? Math.ceil(daysToCover / monthDays) : 0
  for (let months = monthsMax; months >= 0; months -= 1) {
    const leftDays = Math.max(0, daysToCover - months * monthDays)
    for (const weeks of isOffered(weeklyMinor) ? weekCounts(leftDays) : [0]) {
      const days = Math.max(0, leftDays - weeks * weekDays)
      const amountMinor =
        BigInt(months) * (monthlyMinor ?? 0n) +
        BigInt(weeks) * (weeklyMinor ?? 0n) +
        BigInt(days) * dailyMinor +
        BigInt(hours) * (hourlyMinor ?? 0n)
      combinations.push({ months, weeks, days, hours, amountMinor })
    }
  }
  return combinations
}

/**
 * Returns the counts of weeks that can be the cheapest. Each further full week changes the price by
 * the same amount, so the cheapest count is 0, the number of full ones, or one more.
 */
function weekCounts(daysToCover: number): number[] {
  const fullWeeks = Math.floor(daysToCover / weekDays)
  const counts = daysToCover % weekDays > 0 ? [fullWeeks + 1, fullWeeks] : [fullWeeks]
  if (fullWeeks > 0) counts.push(0)
  return counts
}
