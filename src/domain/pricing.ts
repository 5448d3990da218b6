import { type Breakdown, type PriceParts, presentBreakdown } from './breakdown.ts'
import { cheapestCover } from './cover.ts'
import { type ChosenExtra, extraAmount } from './extras.ts'
import { currencyDecimals } from './money.ts'
import { chargedDays, chargedLength, type Period, rentalLength } from './period.ts'
import type { Rate } from './rates.ts'
import { type Seasons, stretchesOf } from './stretches.ts'
import { parsePercent, taxOnSubtotal } from './tax.ts'

/** Everything a price depends on, and nothing else: a quote freezes exactly this (decision 53). */
export interface PriceInputs extends Period {
  readonly gracePeriodMinutes: number
  readonly currency: string
  readonly seasons: Seasons
  /** Those of the group that may apply; `priceRental` tells which do. */
  readonly rates: readonly Rate[]
  readonly extras: readonly ChosenExtra[]
  readonly taxPercent: string
  readonly pricesIncludeTax: boolean
}

/** A bookable price, and the rates without which it would be another or none. */
export interface Price {
  readonly totalMinor: bigint
  readonly breakdown: Breakdown
  readonly usedRates: readonly Rate[]
}

/**
 * The bookable price of a rental and how it comes about (decisions 45 to 52).
 * @throws ApiError NO_RATE_AVAILABLE if a date of the rental has no rate
 */
export function priceRental(inputs: PriceInputs): Price {
  const parts = priceParts(inputs)
  return {
    totalMinor: parts.totalMinor,
    breakdown: presentBreakdown(parts, inputs.extras),
    usedRates: parts.usedRates,
  }
}

/** The same price as amounts in minor units, for those who explain it. */
export function priceParts(inputs: PriceInputs): PriceParts {
  const charged = chargedLength(rentalLength(inputs), inputs.gracePeriodMinutes)
  const { stretches, usedRates } = stretchesOf(inputs, charged)
  const covered = stretches.map(({ rate, fromDate, length }) => {
    return { rate, fromDate, length, cover: cheapestCover(length, rate) }
  })
  const days = chargedDays(charged)
  const extraAmounts = inputs.extras.map((extra) => extraAmount(extra, days))
  let subtotalMinor = 0n
  for (const { cover } of covered) subtotalMinor += cover.amountMinor
  for (const amountMinor of extraAmounts) subtotalMinor += amountMinor
  const percentTenThousandths = parsePercent(inputs.taxPercent)
  const taxIncluded = inputs.pricesIncludeTax
  const taxMinor = taxOnSubtotal(subtotalMinor, percentTenThousandths, taxIncluded)
  return {
    decimals: decimalsOf(inputs.currency, usedRates),
    charged,
    stretches: covered,
    usedRates,
    extraAmounts,
    subtotalMinor,
    percentTenThousandths,
    taxMinor,
    taxIncluded,
    totalMinor: taxIncluded ? subtotalMinor : subtotalMinor + taxMinor,
  }
}

function decimalsOf(currency: string, rates: readonly Rate[]): number {
  for (const rate of rates) {
    if (rate.currency !== currency) {
      throw new RangeError(`A rate in ${rate.currency} cannot price a rental in ${currency}`)
    }
  }
  return currencyDecimals(currency)
}
