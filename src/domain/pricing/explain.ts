import { formatAmount } from '../money.ts'
import { pluralize, pluralizeAll } from '../pluralize.ts'
import { dayMinutes, minuteMs } from '../units.ts'
import type { ChosenExtra } from './extras.ts'
import { chargedDays, formatDate, localDateTime, rentalLength, startedHours } from './period.ts'
import { type FormatAmount, type PriceInputs, type PriceParts, priceParts } from './priceRental.ts'
import { type PriceSnapshot, restoreSnapshot } from './priceSnapshot.ts'
import { formatPercent } from './tax.ts'
import { combinationCandidates, isOffered, type TierCombination } from './tierCombinations.ts'

type RatePeriod = PriceParts['ratePeriods'][number]

export const explainQuote = (stored: PriceSnapshot): string[] =>
  explainPrice(restoreSnapshot(stored))

/** Returns every step of a price, in sentences that an operator can read out. */
export function explainPrice(inputs: PriceInputs): string[] {
  const parts = priceParts(inputs)
  const write = (minor: bigint) => formatAmount(minor, parts.decimals)
  const days = chargedDays(parts.charged)
  const ofRental = parts.billed.map(({ combination }) => combination.amountMinor)
  const amounts = [...ofRental, ...parts.extraAmounts].map(write)
  const sum = amounts.length > 1 ? `${amounts.join(' + ')} = ` : ''
  return [
    ...explainLength(inputs),
    explainGrace(inputs, parts),
    ...explainSeasons(inputs, parts),
    ...explainMinDays(parts),
    ...parts.ratePeriods.flatMap((ratePeriod) => [
      ...explainRatePeriod(ratePeriod, inputs.currency, write),
      ...explainCombinations(ratePeriod, write, parts.isWhole ? 'By itself' : 'Charged'),
    ]),
    ...explainWhole(parts, write),
    ...inputs.extras.map((extra, index) =>
      explainExtra(extra, days, parts.extraAmounts[index] ?? 0n, write),
    ),
    `The subtotal is ${sum}${write(parts.subtotalMinor)}.`,
    explainTax(parts, write),
    `The total is ${write(parts.totalMinor)} ${inputs.currency}.`,
  ]
}

function explainLength(inputs: PriceInputs): string[] {
  const { pickupAt, dropoffAt, timeZone } = inputs
  const elapsedMinutes = Math.ceil((dropoffAt.getTime() - pickupAt.getTime()) / minuteMs)
  const [from, to] = [localDateTime(pickupAt, timeZone), localDateTime(dropoffAt, timeZone)]
  const { days, restMinutes } = rentalLength(inputs)
  const sentences = [
    `Pickup is at ${pickupAt.toISOString()}, drop-off at ${dropoffAt.toISOString()}.`,
    `The clock in ${timeZone} shows ${from} and ${to}.`,
  ]
  if (days * dayMinutes + restMinutes !== elapsedMinutes) {
    sentences.push(
      `The clock was changed in between: ${elapsedMinutes} minutes passed, but days are counted on the clock.`,
    )
  }
  const length = pluralizeAll({ 'full day': days, minute: restMinutes })
  sentences.push(`The length is ${length.join(' and ')}.`)
  return sentences
}

function explainGrace(inputs: PriceInputs, { charged }: PriceParts): string {
  const { days, restMinutes } = rentalLength(inputs)
  const grace = `grace of ${pluralize(inputs.gracePeriodMinutes, 'minute')}`
  const hours = pluralize(startedHours(charged), 'started hour')
  if (restMinutes === 0) return 'There is no time left over beyond the full days.'
  if (days === 0) return `Under a day there is no grace: ${hours}.`
  if (charged.restMinutes === 0) return `The rest is within the ${grace} and free.`
  return `The rest exceeds the ${grace}, so all of it is charged: ${hours}.`
}

function explainSeasons({ seasons }: PriceInputs, { ratePeriods }: PriceParts): string[] {
  if (seasons === 'pickup')
    return ['The rate of the pickup date prices all days (seasons: pickup).']
  if (ratePeriods.length === 1) return []
  return [`Each day is priced by the rate of its date, in ${ratePeriods.length} rate periods.`]
}

function explainMinDays({ charged, ratePeriods }: PriceParts): string[] {
  const minDays = ratePeriods[0]?.rate.minDays
  if (!minDays) return []
  const required = pluralize(minDays, 'charged day')
  return [
    `The rate of the pickup date requires at least ${required}; the rental has ${chargedDays(charged)}.`,
  ]
}

function explainRatePeriod(
  ratePeriod: RatePeriod,
  currency: string,
  write: FormatAmount,
): string[] {
  const { rate, length, fromDate } = ratePeriod
  const price = (tierMinor: bigint | null) => (isOffered(tierMinor) ? write(tierMinor) : 'none')
  const tiers = [
    `month (30 days) ${price(rate.monthlyMinor)}`,
    `week (7 days) ${price(rate.weeklyMinor)}`,
    `day ${write(rate.dailyMinor)}`,
    `hour ${price(rate.hourlyMinor)}`,
  ]
  const rest = length.restMinutes > 0 ? ['the rest'] : []
  const what = [...pluralizeAll({ day: length.days }), ...rest].join(' and ')
  return [
    `From ${formatDate(fromDate)}, ${what} by the rate "${rate.name}" (${rate.id}) in ${currency}: ${tiers.join(', ')}.`,
  ]
}

const tieBreak =
  'If several combinations cost the same, one without hours is charged if there is one, then the one with the most months, then with the most weeks.'

function explainCombinations(
  { rate, length, combination: chosen }: Pick<RatePeriod, 'rate' | 'length' | 'combination'>,
  write: FormatAmount,
  result: 'Charged' | 'By itself',
): string[] {
  const candidates = combinationCandidates(length, rate)
  const considered = candidates.map((combination) => {
    const difference = combination.amountMinor - chosen.amountMinor
    const verdict = difference === 0n ? 'the lowest price' : `${write(difference)} more`
    return `Considered: ${describeCombination(combination)} at ${write(combination.amountMinor)}, ${verdict}.`
  })
  const cheapest = candidates.filter(({ amountMinor }) => amountMinor === chosen.amountMinor)
  const reason = considered.length === 1 ? 'the only combination' : 'the cheapest'
  const settled = cheapest.length === 1 ? [] : [tieBreak]
  return [...considered, `${result}: ${describeCombination(chosen)}, ${reason}.`, ...settled]
}

/** Explains why a rental over several rate periods costs what its dearest rate costs, or not. */
function explainWhole(parts: PriceParts, write: FormatAmount): string[] {
  const { ratePeriods, periodsMinor, whole, isWhole, charged } = parts
  if (ratePeriods.length === 1) return []
  const { rate, combination } = whole
  const amounts = `costs ${write(combination.amountMinor)}, the rate periods ${write(periodsMinor)}`
  const comparison = `The whole rental at the dearest of these rates, "${rate.name}" (${rate.id}), ${amounts}`
  if (!isWhole) return [`${comparison}: the rate periods are charged.`]
  return [
    `${comparison}: the whole rental is charged.`,
    ...explainCombinations({ rate, length: charged, combination }, write, 'Charged'),
  ]
}

function describeCombination({ months, weeks, days, hours }: TierCombination): string {
  return pluralizeAll({ month: months, week: weeks, day: days, hour: hours }).join(' + ')
}

function explainExtra(
  extra: ChosenExtra,
  days: number,
  amount: bigint,
  write: FormatAmount,
): string {
  const { name, pricing, unitMinor, maxMinor, quantity } = extra
  const result = `for ${quantity}, that is ${write(amount)}`
  if (pricing === 'per_rental') {
    return `Extra "${name}": ${write(unitMinor)} per rental; ${result}.`
  }
  const uncapped = unitMinor * BigInt(days)
  const perUnit = `${write(unitMinor)} per day for ${pluralize(days, 'charged day')}`
  const capped = maxMinor !== null && maxMinor < uncapped ? `, capped at ${write(maxMinor)}` : ''
  return `Extra "${name}": ${perUnit} is ${write(uncapped)}${capped}; ${result}.`
}

function explainTax(parts: PriceParts, write: FormatAmount): string {
  const percent = formatPercent(parts.percentTenThousandths)
  const tax = `${write(parts.taxMinor)}, computed once on the subtotal and rounded half up`
  return parts.taxIncluded
    ? `The subtotal contains ${percent} % tax: ${tax}.`
    : `Tax of ${percent} % is added: ${tax}.`
}
