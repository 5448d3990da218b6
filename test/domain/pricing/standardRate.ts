import type { Rate } from '../../../src/domain/pricing/rates.ts'

/** A rate with prices for all units but the month, in a currency with two decimals. */
export const standard: Rate = {
  id: 'rate-1',
  name: 'Standard',
  currency: 'NOK',
  dailyMinor: 49_900n,
  hourlyMinor: 9900n,
  weeklyMinor: 299_000n,
  monthlyMinor: null,
  minDays: null,
  validFrom: null,
  validTo: null,
}
