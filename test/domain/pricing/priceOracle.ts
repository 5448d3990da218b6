import { Temporal } from 'temporal-polyfill'
import type { ChosenExtra } from '../../../src/domain/pricing/extras.ts'
import type { PriceInputs } from '../../../src/domain/pricing/priceRental.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'

/**
 * The price by a second, simple and slow implementation of the pricing rules. It uses Temporal and
 * tries every number of months and weeks. It must not share functions with the engine.
 */
export interface OraclePrice {
  readonly days: number
  readonly hours: number
  /** The rate of the first day. */
  readonly rateId: string
  readonly subtotal: string
  readonly tax: string
  readonly total: string
}

const decimalsByCurrency: Readonly<Record<string, number>> = {
  EUR: 2,
  NOK: 2,
  JPY: 0,
  BHD: 3,
  CLF: 4,
}

/** Returns the price; undefined if a date has no rate, or for too short a rental. */
export function oraclePrice(inputs: PriceInputs): OraclePrice | undefined {
  const { days, restMinutes } = chargedTime(inputs)
  const daysOfExtras = restMinutes > 0 ? days + 1 : days
  const start = zoned(inputs.pickupAt, inputs.timeZone)
  const dayRates = Array.from({ length: daysOfExtras }, (_, day) =>
    rateOn(inputs.rates, start.add({ days: day }).toPlainDate().toString()),
  )
  const known = dayRates.filter((rate) => rate !== undefined)
  const [first] = known
  if (first === undefined || known.length < daysOfExtras) return undefined
  if (first.minDays !== null && first.minDays > daysOfExtras) return undefined
  const length = { days, restMinutes }
  const priced = inputs.seasons === 'pickup' ? known.map(() => first) : known
  let subtotal = priceOfDays(priced, length)
  // The rental never costs more than all of it at its dearest rate.
  const wholes = priced.map((rate) =>
    priceOfDays(
      known.map(() => rate),
      length,
    ),
  )
  const dearest = wholes.reduce((most, whole) => (whole > most ? whole : most))
  if (dearest < subtotal) subtotal = dearest
  for (const extra of inputs.extras) {
    for (let unit = 0; unit < extra.quantity; unit += 1) subtotal += oneUnit(extra, daysOfExtras)
  }
  const tax = taxOf(subtotal, inputs)
  const write = (minor: bigint) => decimal(minor, decimalsByCurrency[inputs.currency] ?? Number.NaN)
  const hours = hoursStarted(restMinutes)
  return {
    days: hours >= 24 ? days + 1 : days,
    hours: hours >= 24 ? 0 : hours,
    rateId: first.id,
    subtotal: write(subtotal),
    tax: write(tax),
    total: write(inputs.pricesIncludeTax ? subtotal : subtotal + tax),
  }
}

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

/** Returns the local time of an instant, in milliseconds as if it were UTC. */
export function wallClock(at: Date, timeZone: string): number {
  return zoned(at, timeZone).toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds
}

/** Returns the instant of a local time in milliseconds, with Temporal's default disambiguation. */
export function firstInstant(wallMs: number, timeZone: string): number {
  const local = zoned(new Date(wallMs), 'UTC').toPlainDateTime()
  return local.toZonedDateTime(timeZone).epochMilliseconds
}

type Times = Pick<PriceInputs, 'pickupAt' | 'dropoffAt' | 'timeZone'>

/** Returns whole local days and the rest in elapsed minutes, rounded up, by Temporal's `until`. */
export function untilLength({ pickupAt, dropoffAt, timeZone }: Times) {
  const rest = zoned(pickupAt, timeZone).until(zoned(dropoffAt, timeZone), { largestUnit: 'days' })
  const { days } = rest
  return { days, restMinutes: Math.ceil(rest.with({ days: 0 }).total('minutes')) }
}

/**
 * Returns the same length without `until`, which is wrong in some cases: the largest number of days
 * that can be added before the end.
 */
export function temporalLength({ pickupAt, dropoffAt, timeZone }: Times) {
  const [start, end] = [zoned(pickupAt, timeZone), zoned(dropoffAt, timeZone)]
  const reaches = (count: number) =>
    Temporal.ZonedDateTime.compare(start.add({ days: count }), end) <= 0
  let days = 0
  // Steps of 30 days first, because single days are slow.
  while (reaches(days + 30)) days += 30
  while (reaches(days + 1)) days += 1
  const restMs = end.epochMilliseconds - start.add({ days }).epochMilliseconds
  return { days, restMinutes: Math.ceil(restMs / 60_000) }
}

/** Returns true if the local time occurs twice and this is the second occurrence. */
export function isSecondOccurrence(at: Date, timeZone: string): boolean {
  const there = zoned(at, timeZone)
  const first = there.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  return first.epochMilliseconds < there.epochMilliseconds
}

function chargedTime(inputs: PriceInputs): { days: number; restMinutes: number } {
  const { days, restMinutes } = temporalLength(inputs)
  const free = days >= 1 && restMinutes <= inputs.gracePeriodMinutes
  return { days, restMinutes: free ? 0 : restMinutes }
}

/** Returns the valid rate with the narrowest window, then latest start, earliest end and lowest ID. */
function rateOn(rates: readonly Rate[], date: string): Rate | undefined {
  const valid = rates.filter(
    ({ validFrom, validTo }) => (validFrom ?? '') <= date && date <= (validTo ?? '9999'),
  )
  if (valid.length < 2) return valid[0]
  return valid.toSorted((a, b) => {
    if (width(a) !== width(b)) return width(a) - width(b)
    const [from, otherFrom] = [a.validFrom ?? '', b.validFrom ?? '']
    if (from !== otherFrom) return from > otherFrom ? -1 : 1
    const [to, otherTo] = [a.validTo ?? '', b.validTo ?? '']
    if (to !== otherTo) return to < otherTo ? -1 : 1
    return a.id < b.id ? -1 : 1
  })[0]
}

/** Returns a window's width. One open end is wider than any closed window, two are wider still. */
function width({ validFrom, validTo }: Rate): number {
  if (validFrom === null || validTo === null) {
    return validFrom === null && validTo === null ? 2_000_000 : 1_000_000
  }
  return Temporal.PlainDate.from(validFrom).until(validTo, { largestUnit: 'days' }).days
}

/** Prices each run of days with the same rate. The last entry is for the rest, if there is one. */
function priceOfDays(
  rates: readonly Rate[],
  { days, restMinutes }: { days: number; restMinutes: number },
): bigint {
  let price = 0n
  for (let from = 0; from < rates.length; ) {
    const rate = rates[from] as Rate
    let to = from
    while (rates[to]?.id === rate.id) to += 1
    const rest = to > days ? restMinutes : 0
    price += cheapestOfAll(rate, Math.min(to, days) - from, rest)
    from = to
  }
  return price
}

function hoursStarted(restMinutes: number): number {
  let hours = 0
  while (hours * 60 < restMinutes) hours += 1
  return hours
}

function cheapestOfAll(rate: Rate, days: number, restMinutes: number): bigint {
  const rest = restPrice(rate, restMinutes)
  const needed = restMinutes > 0 ? days + 1 : days
  let cheapest: bigint | undefined
  for (let months = 0; ; months += 1) {
    for (let weeks = 0; ; weeks += 1) {
      const coveredDays = months * 30 + weeks * 7
      let price =
        BigInt(months) * (rate.monthlyMinor ?? 0n) + BigInt(weeks) * (rate.weeklyMinor ?? 0n)
      if (coveredDays <= days) price += BigInt(days - coveredDays) * rate.dailyMinor + rest
      if (cheapest === undefined || price < cheapest) cheapest = price
      if (rate.weeklyMinor === null || coveredDays >= needed) break
    }
    if (rate.monthlyMinor === null || months * 30 >= needed) break
  }
  return cheapest
}

function restPrice(rate: Rate, restMinutes: number): bigint {
  if (restMinutes === 0) return 0n
  if (rate.hourlyMinor === null) return rate.dailyMinor
  const byTheHour = BigInt(hoursStarted(restMinutes)) * rate.hourlyMinor
  return byTheHour < rate.dailyMinor ? byTheHour : rate.dailyMinor
}

function oneUnit(extra: ChosenExtra, days: number): bigint {
  if (extra.pricing === 'per_rental') return extra.unitMinor
  let price = 0n
  for (let day = 0; day < days; day += 1) {
    price += extra.unitMinor
    if (extra.maxMinor !== null && price > extra.maxMinor) return extra.maxMinor
  }
  return price
}

function taxOf(subtotal: bigint, { taxPercent, pricesIncludeTax }: PriceInputs): bigint {
  const [whole = '', fraction = ''] = taxPercent.split('.')
  const percent = BigInt(`${whole}${`${fraction}0000`.slice(0, 4)}`)
  const divisor = pricesIncludeTax ? 1_000_000n + percent : 1_000_000n
  const product = subtotal * percent
  const remainder = product % divisor
  const floor = (product - remainder) / divisor
  return remainder + remainder >= divisor ? floor + 1n : floor
}

function decimal(minor: bigint, decimals: number): string {
  let scale = 1n
  for (let digit = 0; digit < decimals; digit += 1) scale *= 10n
  if (scale === 1n) return `${minor}`
  const fraction = `${scale + (minor % scale)}`.slice(1)
  return `${minor / scale}.${fraction}`
}
