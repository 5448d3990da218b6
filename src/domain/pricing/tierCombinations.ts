import { chargedDays, type RentalLength, startedHours } from './period.ts'
import type { Rate } from './rates.ts'

const monthDays = 30
const weekDays = 7

export type TierPrices = Pick<Rate, 'dailyMinor' | 'hourlyMinor' | 'weeklyMinor' | 'monthlyMinor'>

/** How many of each tier are charged, and what they cost together. */
export type TierCombination = ReturnType<typeof combinationsOf>[number]

/**
 * The cheapest combination of a rental (decisions 47 and 48). Of combinations that cost the same: the one
 * without hours, then the one with most months, then the one with most weeks.
 */
export function cheapestCombination(length: RentalLength, tiers: TierPrices): TierCombination {
  return combinationCandidates(length, tiers).reduce((cheapest, combination) =>
    combination.amountMinor < cheapest.amountMinor ? combination : cheapest,
  )
}

/**
 * Every combination that can be the cheapest, in the order in which equal prices are settled. A charged
 * rest is rounded up with the days, which caps it at one more day, or paid by the hour on top.
 */
export function combinationCandidates(length: RentalLength, tiers: TierPrices): TierCombination[] {
  const combinations = combinationsOf(chargedDays(length), 0, tiers)
  const hours = startedHours(length)
  if (hours === 0 || !isOffered(tiers.hourlyMinor)) return combinations
  return combinations.concat(combinationsOf(length.days, hours, tiers))
}

/** A tier without a price is absent. So is one of price 0: it would make longer rentals free. */
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
 * One more full week always changes the price by the same amount, so only the extremes can be the
 * cheapest: rounded up, all full weeks, or none.
 */
function weekCounts(daysToCover: number): number[] {
  const fullWeeks = Math.floor(daysToCover / weekDays)
  const counts = daysToCover % weekDays > 0 ? [fullWeeks + 1, fullWeeks] : [fullWeeks]
  if (fullWeeks > 0) counts.push(0)
  return counts
}
