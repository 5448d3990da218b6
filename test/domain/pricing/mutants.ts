import { formatAmount } from '../../../src/domain/money.ts'
import { rentalLength } from '../../../src/domain/pricing/period.ts'
import {
  type PriceInputs,
  priceParts,
  priceRental,
} from '../../../src/domain/pricing/priceRental.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'
import { parsePercent, taxOnSubtotal } from '../../../src/domain/pricing/tax.ts'
import { wallClockMs } from '../../../src/domain/timeZone.ts'

/** Pricing engines with one plausible error each. The comparison with the oracle must detect all. */
export const mutants: Readonly<Record<string, (inputs: PriceInputs) => string>> = {
  'charges full months, then full weeks, then days': (inputs) => {
    const { ratePeriods, subtotalMinor } = priceParts(inputs)
    let difference = 0n
    for (const { length, rate, combination } of ratePeriods) {
      difference += greedyPrice(rate, length.days, length.restMinutes) - combination.amountMinor
    }
    return taxed(inputs, subtotalMinor + difference)
  },

  'counts elapsed days of 24 hours instead of local days': (inputs) =>
    totalOf({ ...inputs, timeZone: 'UTC', rates: inputs.rates.slice(0, 1) }),

  'counts the rest by the wall clock instead of elapsed time': (inputs) => {
    const onTheWall = (at: Date) => new Date(wallClockMs(at, inputs.timeZone))
    const [pickupAt, dropoffAt] = [onTheWall(inputs.pickupAt), onTheWall(inputs.dropoffAt)]
    if (pickupAt >= dropoffAt) return totalOf(inputs)
    return totalOf({ ...inputs, pickupAt, dropoffAt, timeZone: 'UTC' })
  },

  'applies the rate of the pickup date to all days in every seasons mode': (inputs) =>
    totalOf({ ...inputs, seasons: 'pickup' }),

  'applies the rate of each date in every seasons mode': (inputs) =>
    totalOf({ ...inputs, seasons: 'per_day' }),

  'applies the grace period to a rental under a day': (inputs) => {
    const { days, restMinutes } = rentalLength(inputs)
    if (days > 0 || restMinutes > inputs.gracePeriodMinutes) return totalOf(inputs)
    return formatAmount(0n, priceParts(inputs).decimals)
  },

  'rounds the tax per line instead of on the subtotal': (inputs) => {
    const { ratePeriods, decimals, extraAmounts, subtotalMinor } = priceParts(inputs)
    const percent = parsePercent(inputs.taxPercent)
    let totalMinor = subtotalMinor
    for (const lineMinor of [
      ...ratePeriods.map(({ combination }) => combination.amountMinor),
      ...extraAmounts,
    ]) {
      if (!inputs.pricesIncludeTax) totalMinor += taxOnSubtotal(lineMinor, percent, false)
    }
    return formatAmount(totalMinor, decimals)
  },
}

const totalOf = (inputs: PriceInputs) => priceRental(inputs).breakdown.total

function greedyPrice(rate: Rate, days: number, restMinutes: number): bigint {
  let left = days
  let priceMinor = 0n
  for (const [size, tierMinor] of [
    [30, rate.monthlyMinor],
    [7, rate.weeklyMinor],
    [1, rate.dailyMinor],
  ] as const) {
    if (tierMinor === null) continue
    priceMinor += BigInt(Math.floor(left / size)) * tierMinor
    left %= size
  }
  if (restMinutes === 0) return priceMinor
  const byTheHour =
    rate.hourlyMinor === null
      ? rate.dailyMinor
      : BigInt(Math.ceil(restMinutes / 60)) * rate.hourlyMinor
  return priceMinor + (byTheHour < rate.dailyMinor ? byTheHour : rate.dailyMinor)
}

function taxed(inputs: PriceInputs, subtotalMinor: bigint): string {
  const { decimals } = priceParts(inputs)
  if (inputs.pricesIncludeTax) return formatAmount(subtotalMinor, decimals)
  const taxMinor = taxOnSubtotal(subtotalMinor, parsePercent(inputs.taxPercent), false)
  return formatAmount(subtotalMinor + taxMinor, decimals)
}
