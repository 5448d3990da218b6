import type { Cover } from './cover.ts'
import type { ChosenExtra } from './extras.ts'
import { formatAmount } from './money.ts'
import { chargedDays, type RentalLength, shownLength } from './period.ts'
import type { Rate } from './rates.ts'
import type { Stretch } from './stretches.ts'
import { formatPercent } from './tax.ts'

interface RateLine {
  readonly rateId: string
  readonly rateName: string
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
  readonly days: number | null
  readonly unitPrice: string
  readonly maxPrice: string | null
  readonly amount: string
}

/**
 * The `breakdown` of a quote (decision 6): amounts are decimal strings that add up to `total`. One
 * that was stored by engine 1 has no `rateId`, `rateName`, `days` and `maxPrice` in its lines.
 */
export interface Breakdown {
  readonly days: number
  readonly hours: number
  readonly rate: { readonly id: string; readonly name: string; readonly lines: readonly RateLine[] }
  readonly extras: readonly ExtraLine[]
  readonly subtotal: string
  readonly tax: { readonly percent: string; readonly amount: string; readonly included: boolean }
  readonly total: string
}

/** A stretch and what it costs. */
export interface CoveredStretch extends Stretch {
  readonly cover: Cover
}

/** Everything a price is made of, in minor units, before it is written down. */
export interface PriceParts {
  readonly decimals: number
  /** The length without a rest that is free. */
  readonly charged: RentalLength
  readonly stretches: readonly CoveredStretch[]
  readonly usedRates: readonly Rate[]
  readonly extraAmounts: readonly bigint[]
  readonly subtotalMinor: bigint
  readonly percentTenThousandths: bigint
  readonly taxMinor: bigint
  readonly taxIncluded: boolean
  readonly totalMinor: bigint
}

export type Write = (minor: bigint) => string

/** Writes the parts down as the answer shows them (decision 6). */
export function presentBreakdown(parts: PriceParts, extras: readonly ChosenExtra[]): Breakdown {
  const write: Write = (minor) => formatAmount(minor, parts.decimals)
  const [first] = parts.stretches
  if (first === undefined) throw new Error('Bug: a price has no stretch')
  const extraDays = chargedDays(parts.charged)
  const { days, hours } = shownLength(parts.charged)
  return {
    days,
    hours,
    rate: {
      id: first.rate.id,
      name: first.rate.name,
      lines: rateLines(parts.stretches, write),
    },
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

function rateLines(stretches: readonly CoveredStretch[], write: Write): RateLine[] {
  const lines: RateLine[] = []
  const add = (
    { id, name }: Rate,
    unit: RateLine['unit'],
    quantity: number,
    unitMinor: bigint | null,
  ) => {
    if (quantity === 0 || unitMinor === null) return
    lines.push({
      rateId: id,
      rateName: name,
      unit,
      quantity,
      unitPrice: write(unitMinor),
      amount: write(BigInt(quantity) * unitMinor),
    })
  }
  for (const { rate, cover } of stretches) {
    add(rate, 'month', cover.months, rate.monthlyMinor)
    add(rate, 'week', cover.weeks, rate.weeklyMinor)
    add(rate, 'day', cover.days, rate.dailyMinor)
    add(rate, 'hour', cover.hours, rate.hourlyMinor)
  }
  return lines
}

function extraLine(extra: ChosenExtra, days: number, amount: bigint, write: Write): ExtraLine {
  const perDay = extra.pricing === 'per_day'
  return {
    extraId: extra.id,
    name: extra.name,
    pricing: extra.pricing,
    quantity: extra.quantity,
    days: perDay ? days : null,
    unitPrice: write(extra.unitMinor),
    maxPrice: perDay && extra.maxMinor !== null ? write(extra.maxMinor) : null,
    amount: write(amount),
  }
}
