import type { Rate } from '../../../src/domain/pricing/rates.ts'

/** A rate of every unit but the month, in a currency of two decimals. */
export const standard: Rate = {
  id: 'rate-1',
  name: 'Standard',
  currency: 'NOK',
  dailyMinor: 49_900n,
  hourlyMinor: 9900n,
  weeklyMinor: 299_000n,
  monthlyMinor: null,
  validFrom: null,
  validTo: null,
}
