import type { PriceParts } from './breakdown.ts'
import { type Cover, coverCandidates, isOffered } from './cover.ts'
import type { ChosenExtra } from './extras.ts'
import { formatAmount } from './money.ts'
import {
  chargedDays,
  localDateTime,
  rentalLength,
  startedHours,
  wallClockMinutes,
} from './period.ts'
import { type PriceInputs, priceParts } from './pricing.ts'
import { formatPercent } from './tax.ts'

const minuteMs = 60_000

/** Every step of a price, in sentences an operator can read out (decisions 45 to 52). */
export function explainPrice(inputs: PriceInputs): string[] {
  const parts = priceParts(inputs)
  const write = (minor: bigint) => formatAmount(minor, parts.decimals)
  return [
    ...explainLength(inputs),
    explainGrace(inputs, parts),
    explainRate(inputs, write),
    ...explainCovers(inputs, parts, write),
    ...inputs.extras.map((extra, index) =>
      explainExtra(extra, chargedDays(parts.length), parts.extraAmounts[index] ?? 0n, write),
    ),
    explainSubtotal(parts, write),
    explainTax(parts, write),
    `The total is ${write(parts.totalMinor)} ${inputs.currency}.`,
  ]
}

type Write = (minor: bigint) => string

function explainLength({ pickupAt, dropoffAt, timeZone }: PriceInputs): string[] {
  const minutes = wallClockMinutes(pickupAt, dropoffAt, timeZone)
  const elapsed = Math.ceil((dropoffAt.getTime() - pickupAt.getTime()) / minuteMs)
  const [from, to] = [localDateTime(pickupAt, timeZone), localDateTime(dropoffAt, timeZone)]
  const sentences = [
    `Pickup is at ${pickupAt.toISOString()}, drop-off at ${dropoffAt.toISOString()}.`,
    `The clock in ${timeZone} shows ${from} and ${to}.`,
  ]
  if (from >= to) {
    sentences.push(`That clock was put back in between, so the elapsed ${elapsed} minutes count.`)
  } else if (minutes !== elapsed) {
    sentences.push(
      `The clock was changed in between: ${elapsed} minutes elapsed, its ${minutes} minutes count.`,
    )
  }
  const { days, restMinutes } = rentalLength(minutes, 0)
  const length = `${count(days, 'full day')} and ${count(restMinutes, 'minute')}`
  sentences.push(`The length is ${count(minutes, 'minute')}: ${length}.`)
  return sentences
}

function explainGrace(inputs: PriceInputs, { length }: PriceParts): string {
  const minutes = wallClockMinutes(inputs.pickupAt, inputs.dropoffAt, inputs.timeZone)
  const { restMinutes } = rentalLength(minutes, 0)
  const grace = `grace of ${count(inputs.gracePeriodMinutes, 'minute')}`
  const hours = count(startedHours(length), 'started hour')
  if (restMinutes === 0) return 'There is no rest beyond the full days.'
  if (length.days === 0) return `Under a day there is no grace: ${hours}.`
  if (length.restMinutes === 0) return `The rest is within the ${grace} and free.`
  return `The rest is over the ${grace}, which is then not subtracted: ${hours}.`
}

function explainRate({ rate, currency }: PriceInputs, write: Write): string {
  const price = (tierMinor: bigint | null) => (isOffered(tierMinor) ? write(tierMinor) : 'none')
  const tiers = [
    `month (30 days) ${price(rate.monthlyMinor)}`,
    `week (7 days) ${price(rate.weeklyMinor)}`,
    `day ${write(rate.dailyMinor)}`,
    `hour ${price(rate.hourlyMinor)}`,
  ]
  return `The rate "${rate.name}" (${rate.id}) in ${currency}: ${tiers.join(', ')}.`
}

function explainCovers({ rate }: PriceInputs, parts: PriceParts, write: Write): string[] {
  const chosen = parts.cover
  const considered = coverCandidates(parts.length, rate).map((cover) => {
    const difference = cover.amountMinor - chosen.amountMinor
    const verdict = difference === 0n ? 'the lowest price' : `${write(difference)} more`
    return `Considered: ${describeCover(cover)} at ${write(cover.amountMinor)}, ${verdict}.`
  })
  const reason =
    considered.length === 1
      ? 'the only cover'
      : 'the cheapest; at the same price no hours come first, then most months, then most weeks'
  return [...considered, `Charged: ${describeCover(chosen)}, ${reason}.`]
}

function describeCover({ months, weeks, days, hours }: Cover): string {
  const units = [
    [months, 'month'],
    [weeks, 'week'],
    [days, 'day'],
    [hours, 'hour'],
  ] as const
  const used = units.filter(([quantity]) => quantity > 0)
  return used.map(([quantity, unit]) => count(quantity, unit)).join(' + ')
}

function explainExtra(extra: ChosenExtra, days: number, amount: bigint, write: Write): string {
  const { name, pricing, unitMinor, maxMinor, quantity } = extra
  const result = `${quantity} of them cost ${write(amount)}`
  if (pricing === 'per_rental') {
    return `Extra "${name}": ${write(unitMinor)} per rental; ${result}.`
  }
  const uncapped = unitMinor * BigInt(days)
  const perUnit = `${write(unitMinor)} per day for ${count(days, 'charged day')}`
  const capped = maxMinor !== null && maxMinor < uncapped ? `, capped at ${write(maxMinor)}` : ''
  return `Extra "${name}": ${perUnit} is ${write(uncapped)}${capped}; ${result}.`
}

function explainSubtotal({ cover, extraAmounts, subtotalMinor }: PriceParts, write: Write): string {
  const amounts = [cover.amountMinor, ...extraAmounts].map(write)
  return `The subtotal is ${[amounts.join(' + '), write(subtotalMinor)].join(' = ')}.`
}

function explainTax(parts: PriceParts, write: Write): string {
  const percent = formatPercent(parts.percentTenThousandths)
  const tax = `${write(parts.taxMinor)}, computed once on the subtotal and rounded half up`
  return parts.taxIncluded
    ? `The subtotal contains ${percent} % tax: ${tax}.`
    : `Tax of ${percent} % comes on top: ${tax}.`
}

function count(quantity: number, unit: string): string {
  return `${quantity} ${unit}${quantity === 1 ? '' : 's'}`
}
