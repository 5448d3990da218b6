import type { Cover } from './cover.ts'
import type { ChosenExtra } from './extras.ts'
import { formatAmount } from './money.ts'
import { type RentalLength, startedHours } from './period.ts'
import type { Rate } from './rates.ts'
import { formatPercent } from './tax.ts'

interface RateLine {
  readonly unit: 'month' | 'week' | 'day' | 'hour'
  readonly quantity: number
  readonly unitPrice: string
  readonly amount: string
}

interface ExtraLine {
  readonly extraId: string
  readonly name: string
  readonly pricing: ChosenExtra['pricing']
  readonly quantity: number
  readonly unitPrice: string
  readonly amount: string
}

/** The `breakdown` of a quote (decision 6): amounts are decimal strings that add up to `total`. */
export interface Breakdown {
  readonly days: number
  readonly hours: number
  readonly rate: { readonly id: string; readonly name: string; readonly lines: readonly RateLine[] }
  readonly extras: readonly ExtraLine[]
  readonly subtotal: string
  readonly tax: { readonly percent: string; readonly amount: string; readonly included: boolean }
  readonly total: string
}

/** Everything a price is made of, in minor units, before it is written down. */
export interface PriceParts {
  readonly decimals: number
  readonly length: RentalLength
  readonly cover: Cover
  readonly extraAmounts: readonly bigint[]
  readonly subtotalMinor: bigint
  readonly percentTenThousandths: bigint
  readonly taxMinor: bigint
  readonly taxIncluded: boolean
  readonly totalMinor: bigint
}

/** Writes the parts down as the answer shows them (decision 6). */
export function presentBreakdown(
  parts: PriceParts,
  rate: Rate,
  extras: readonly ChosenExtra[],
): Breakdown {
  const write = (minor: bigint) => formatAmount(minor, parts.decimals)
  return {
    days: parts.length.days,
    hours: startedHours(parts.length),
    rate: { id: rate.id, name: rate.name, lines: rateLines(parts, rate) },
    extras: extras.map((extra, index) => ({
      extraId: extra.id,
      name: extra.name,
      pricing: extra.pricing,
      quantity: extra.quantity,
      unitPrice: write(extra.unitMinor),
      amount: write(parts.extraAmounts[index] ?? 0n),
    })),
    subtotal: write(parts.subtotalMinor),
    tax: {
      percent: formatPercent(parts.percentTenThousandths),
      amount: write(parts.taxMinor),
      included: parts.taxIncluded,
    },
    total: write(parts.totalMinor),
  }
}

function rateLines({ cover, decimals }: PriceParts, rate: Rate): RateLine[] {
  const lines: RateLine[] = []
  const add = (unit: RateLine['unit'], quantity: number, unitMinor: bigint | null) => {
    if (quantity === 0 || unitMinor === null) return
    const amount = formatAmount(BigInt(quantity) * unitMinor, decimals)
    lines.push({ unit, quantity, unitPrice: formatAmount(unitMinor, decimals), amount })
  }
  add('month', cover.months, rate.monthlyMinor)
  add('week', cover.weeks, rate.weeklyMinor)
  add('day', cover.days, rate.dailyMinor)
  add('hour', cover.hours, rate.hourlyMinor)
  return lines
}
