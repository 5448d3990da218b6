import { formatAmount } from '../../src/domain/money.ts'
import { type PriceInputs, priceParts, priceRental } from '../../src/domain/pricing.ts'
import { parsePercent, taxOnSubtotal } from '../../src/domain/tax.ts'

/** Engines with one plausible mistake each; the comparison with the oracle must find them all. */
export const mutants: Readonly<Record<string, (inputs: PriceInputs) => string>> = {
  'full months and weeks first, never rounded up': (inputs) => {
    const parts = priceParts(inputs)
    const { rate } = inputs
    let { days } = parts.length
    let greedyMinor = 0n
    for (const [size, tierMinor] of [
      [30, rate.monthlyMinor],
      [7, rate.weeklyMinor],
      [1, rate.dailyMinor],
    ] as const) {
      if (tierMinor === null) continue
      greedyMinor += BigInt(Math.floor(days / size)) * tierMinor
      days %= size
    }
    greedyMinor += greedyRest(inputs, parts.length.restMinutes)
    return taxed(inputs, parts.subtotalMinor - parts.cover.amountMinor + greedyMinor)
  },

  'elapsed hours instead of the wall clock': (inputs) =>
    priceRental({ ...inputs, timeZone: 'UTC' }).breakdown.total,

  'tax rounded per line': (inputs) => {
    const { cover, decimals, extraAmounts, subtotalMinor } = priceParts(inputs)
    const percent = parsePercent(inputs.taxPercent)
    let totalMinor = subtotalMinor
    for (const lineMinor of [cover.amountMinor, ...extraAmounts]) {
      if (!inputs.pricesIncludeTax) totalMinor += taxOnSubtotal(lineMinor, percent, false)
    }
    return formatAmount(totalMinor, decimals)
  },
}

function greedyRest({ rate }: PriceInputs, restMinutes: number): bigint {
  if (restMinutes === 0) return 0n
  if (rate.hourlyMinor === null) return rate.dailyMinor
  const byTheHour = BigInt(Math.ceil(restMinutes / 60)) * rate.hourlyMinor
  return byTheHour < rate.dailyMinor ? byTheHour : rate.dailyMinor
}

function taxed(inputs: PriceInputs, subtotalMinor: bigint): string {
  const { decimals } = priceParts(inputs)
  if (inputs.pricesIncludeTax) return formatAmount(subtotalMinor, decimals)
  const taxMinor = taxOnSubtotal(subtotalMinor, parsePercent(inputs.taxPercent), false)
  return formatAmount(subtotalMinor + taxMinor, decimals)
}
