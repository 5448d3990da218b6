import { currencyDecimals, formatAmount } from '../money.ts'
import { wholeAtDearest } from './dearestRate.ts'
import { type ChosenExtra, extraAmount } from './extras.ts'
import { breakdownLength, chargedDays, chargedLength, type Period, rentalLength } from './period.ts'
import { ratePeriodsOf, type Seasons } from './ratePeriods.ts'
import type { Rate } from './rates.ts'
import { formatPercent, parsePercent, taxOnSubtotal } from './tax.ts'
import { cheapestCombination, type TierCombination } from './tierCombinations.ts'

/** Exactly the inputs that a price depends on. A quote stores a snapshot of them. */
export interface PriceInputs extends Period {
  readonly gracePeriodMinutes: number
  readonly currency: string
  readonly seasons: Seasons
  readonly rates: readonly Rate[]
  readonly extras: readonly ChosenExtra[]
  readonly taxPercent: string
  readonly pricesIncludeTax: boolean
}

/**
 * Returns the price of a rental, its breakdown, and the rates of its rate periods.
 * @throws ApiError NO_RATE_AVAILABLE if a date of the rental has no rate
 */
export function priceRental(inputs: PriceInputs) {
  const parts = priceParts(inputs)
  const usedRates = [...new Set(parts.ratePeriods.map(({ rate }) => rate))]
  const breakdown = serializeBreakdown(parts, inputs.extras)
  return { totalMinor: parts.totalMinor, breakdown, usedRates }
}

export type PriceParts = ReturnType<typeof priceParts>

/**
 * Returns the parts of a price, in minor units.
 * @throws ApiError NO_RATE_AVAILABLE if a date of the rental has no rate
 */
export function priceParts(inputs: PriceInputs) {
  const { currency, taxPercent, pricesIncludeTax: taxIncluded } = inputs
  const charged = chargedLength(rentalLength(inputs), inputs.gracePeriodMinutes)
  const ratePeriods = ratePeriodsOf(inputs, charged).map(({ rate, fromDate, length }) => {
    return { rate, fromDate, length, combination: cheapestCombination(length, rate) }
  })
  const days = chargedDays(charged)
  const extraAmounts = inputs.extras.map((extra) => extraAmount(extra, days))
  const whole = wholeAtDearest(
    ratePeriods.map(({ rate }) => rate),
    charged,
  )
  if (whole === undefined) throw new Error('Bug: a price has no rate period')
  const periodsMinor = sumOf(ratePeriods)
  const isWhole = whole.combination.amountMinor < periodsMinor
  const billed = isWhole ? [whole] : ratePeriods
  let subtotalMinor = sumOf(billed)
  for (const amountMinor of extraAmounts) subtotalMinor += amountMinor
  const percentTenThousandths = parsePercent(taxPercent)
  const taxMinor = taxOnSubtotal(subtotalMinor, percentTenThousandths, taxIncluded)
  const totalMinor = taxIncluded ? subtotalMinor : subtotalMinor + taxMinor
  return {
    decimals: currencyDecimals(currency),
    charged,
    ratePeriods,
    periodsMinor,
    /** The whole rental at the dearest of its rates, which is charged if it costs less. */
    whole,
    isWhole,
    /** The charged periods: those of the rates, or the whole rental as one. */
    billed,
    extraAmounts,
    subtotalMinor,
    percentTenThousandths,
    taxMinor,
    taxIncluded,
    totalMinor,
  }
}

type Billed = Pick<PriceParts['whole'], 'rate' | 'combination'>

function sumOf(billed: readonly { readonly combination: TierCombination }[]): bigint {
  return billed.reduce((sum, { combination }) => sum + combination.amountMinor, 0n)
}

export type FormatAmount = (minor: bigint) => string

/** The `breakdown` of a quote. Its amounts are decimal strings that add up to `total`. */
export type Breakdown = ReturnType<typeof serializeBreakdown>

function serializeBreakdown(parts: PriceParts, extras: readonly ChosenExtra[]) {
  const write: FormatAmount = (minor) => formatAmount(minor, parts.decimals)
  const [first] = parts.ratePeriods
  if (first === undefined) throw new Error('Bug: a price has no rate period')
  const { id, name } = first.rate
  const extraDays = chargedDays(parts.charged)
  const { days, hours } = breakdownLength(parts.charged)
  return {
    days,
    hours,
    rate: { id, name, lines: rateLines(parts.billed, write) },
    extras: extras.map((extra, index) =>
      extraLine(extra, extraDays, parts.extraAmounts[index] ?? 0n, write),
    ),
    subtotal: write(parts.subtotalMinor),
    tax: {
      percent: formatPercent(parts.percentTenThousandths),
      amount: write(parts.taxMinor),
      included: parts.taxIncluded,
    },
    total: write(parts.totalMinor),
  }
}

/** Returns a breakdown with the names of these rates and extras; others keep their names. */
export function renameBreakdown(
  { rate, extras, ...amounts }: Breakdown,
  namesById: ReadonlyMap<string, { readonly name?: string | null | undefined }>,
): Breakdown {
  const nameOf = (id: string, name: string) => namesById.get(id)?.name ?? name
  return {
    ...amounts,
    rate: {
      id: rate.id,
      name: nameOf(rate.id, rate.name),
      lines: rate.lines.map((line) => ({ ...line, rateName: nameOf(line.rateId, line.rateName) })),
    },
    extras: extras.map((extra) => ({ ...extra, name: nameOf(extra.extraId, extra.name) })),
  }
}

/** Returns the lines of a breakdown for charged periods. The widget's prices have the same lines. */
export function rateLines(billed: readonly Billed[], write: FormatAmount) {
  const lines = []
  for (const { rate, combination } of billed) {
    const { id: rateId, name: rateName } = rate
    for (const [unit, quantity, unitMinor] of [
      ['month', combination.months, rate.monthlyMinor],
      ['week', combination.weeks, rate.weeklyMinor],
      ['day', combination.days, rate.dailyMinor],
      ['hour', combination.hours, rate.hourlyMinor],
    ] as const) {
      if (quantity === 0 || unitMinor === null) continue
      const amount = write(BigInt(quantity) * unitMinor)
      lines.push({ rateId, rateName, unit, quantity, unitPrice: write(unitMinor), amount })
    }
  }
  return lines
}

function extraLine(extra: ChosenExtra, days: number, amountMinor: bigint, write: FormatAmount) {
  const perDay = extra.pricing === 'per_day'
  return {
    extraId: extra.id,
    name: extra.name,
    pricing: extra.pricing,
    quantity: extra.quantity,
    days: perDay ? days : null,
    unitPrice: write(extra.unitMinor),
    maxPrice: perDay && extra.maxMinor !== null ? write(extra.maxMinor) : null,
    amount: write(amountMinor),
  }
}
