import type { RentalLength } from './period.ts'
import { cheapestCombination, type TierCombination, type TierPrices } from './tierCombinations.ts'

interface WholeRental<Tiers> {
  readonly rate: Tiers
  readonly combination: TierCombination
}

/**
 * Returns the price of the whole rental at the dearest of its rates, the most that a rental over
 * several rate periods costs. Of equally dear rates, the first counts.
 */
export function wholeAtDearest<Tiers extends TierPrices>(
  rates: Iterable<Tiers>,
  charged: RentalLength,
): WholeRental<Tiers> | undefined {
  let dearest: WholeRental<Tiers> | undefined
  for (const rate of new Set(rates)) {
    const combination = cheapestCombination(charged, rate)
    if (dearest === undefined || combination.amountMinor > dearest.combination.amountMinor)
      dearest = { rate, combination }
  }
  return dearest
}
