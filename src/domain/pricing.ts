import { type Breakdown, type PriceParts, presentBreakdown } from './breakdown.ts'
import { cheapestCover } from './cover.ts'
import { type ChosenExtra, extraAmount } from './extras.ts'
import { currencyDecimals } from './money.ts'
import { chargedDays, rentalLength, wallClockMinutes } from './period.ts'
import type { Rate } from './rates.ts'
import { parsePercent, taxOnSubtotal } from './tax.ts'

/** Everything a price depends on, and nothing else: a quote freezes exactly this (decision 53). */
export interface PriceInputs {
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly timeZone: string
  readonly gracePeriodMinutes: number
  readonly currency: string
  readonly rate: Rate
  readonly extras: readonly ChosenExtra[]
  readonly taxPercent: string
  readonly pricesIncludeTax: boolean
}

/** The bookable price of a rental and how it comes about (decisions 45 to 52). */
export function priceRental(inputs: PriceInputs): { totalMinor: bigint; breakdown: Breakdown } {
  const parts = priceParts(inputs)
  return {
    totalMinor: parts.totalMinor,
    breakdown: presentBreakdown(parts, inputs.rate, inputs.extras),
  }
}

/** The same price as amounts in minor units, for those who explain it. */
export function priceParts(inputs: PriceInputs): PriceParts {
  const minutes = wallClockMinutes(inputs.pickupAt, inputs.dropoffAt, inputs.timeZone)
  const length = rentalLength(minutes, inputs.gracePeriodMinutes)
  const cover = cheapestCover(length, inputs.rate)
  const days = chargedDays(length)
  const extraAmounts = inputs.extras.map((extra) => extraAmount(extra, days))
  const subtotalMinor = extraAmounts.reduce((sum, amount) => sum + amount, cover.amountMinor)
  const percentTenThousandths = parsePercent(inputs.taxPercent)
  const taxIncluded = inputs.pricesIncludeTax
  const taxMinor = taxOnSubtotal(subtotalMinor, percentTenThousandths, taxIncluded)
  return {
    decimals: decimalsOf(inputs),
    length,
    cover,
    extraAmounts,
    subtotalMinor,
    percentTenThousandths,
    taxMinor,
    taxIncluded,
    totalMinor: taxIncluded ? subtotalMinor : subtotalMinor + taxMinor,
  }
}

function decimalsOf({ currency, rate }: PriceInputs): number {
  if (rate.currency !== currency) {
    throw new RangeError(`A rate in ${rate.currency} cannot price a rental in ${currency}`)
  }
  const decimals = currencyDecimals(currency)
  if (decimals === undefined) throw new RangeError(`"${currency}" is not an ISO 4217 currency`)
  return decimals
}
