import type { ChosenExtra } from '../../src/domain/extras.ts'
import type { PriceInputs } from '../../src/domain/pricing.ts'

/**
 * A second opinion on a price, made to be obvious rather than fast: it lets a meter run minute by
 * minute, tries every number of months and weeks, and asks Intl for the parts of a local time. It
 * shares no function with the engine.
 */
export interface OraclePrice {
  readonly days: number
  readonly hours: number
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

export function oraclePrice(inputs: PriceInputs): OraclePrice {
  const { days, restMinutes } = runMeter(inputs)
  const daysOfExtras = restMinutes > 0 ? days + 1 : days
  let subtotal = cheapestOfAll(inputs, days, restMinutes)
  for (const extra of inputs.extras) {
    for (let unit = 0; unit < extra.quantity; unit += 1) subtotal += oneUnit(extra, daysOfExtras)
  }
  const tax = taxOf(subtotal, inputs)
  const write = (minor: bigint) => decimal(minor, decimalsByCurrency[inputs.currency] ?? Number.NaN)
  return {
    days,
    hours: hoursStarted(restMinutes),
    subtotal: write(subtotal),
    tax: write(tax),
    total: write(inputs.pricesIncludeTax ? subtotal : subtotal + tax),
  }
}

/** The local time of an instant, in milliseconds since a made-up epoch on the same wall. */
export function wallClock(at: Date, timeZone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatter(timeZone).formatToParts(at)) parts[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  const milliseconds = at.getTime() - Math.floor(at.getTime() / 1000) * 1000
  return (
    (((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milliseconds
  )
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const numeric = 'numeric'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  formatters.set(timeZone, made)
  return made
}

/** Days since 1 March of year 0, the leap day being the last of its year. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const monthFromMarch = (month + 9) % 12
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return 365 * y + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + day - 1
}

function runMeter(inputs: PriceInputs): { days: number; restMinutes: number } {
  const from = wallClock(inputs.pickupAt, inputs.timeZone)
  const to = wallClock(inputs.dropoffAt, inputs.timeZone)
  const length = to > from ? to - from : inputs.dropoffAt.getTime() - inputs.pickupAt.getTime()
  let days = 0
  let restMinutes = 0
  for (let metered = 0; metered < length; metered += 60_000) {
    restMinutes += 1
    if (restMinutes === 1440) {
      days += 1
      restMinutes = 0
    }
  }
  if (days > 0 && restMinutes <= inputs.gracePeriodMinutes) restMinutes = 0
  return { days, restMinutes }
}

function hoursStarted(restMinutes: number): number {
  let hours = 0
  while (hours * 60 < restMinutes) hours += 1
  return hours
}

function cheapestOfAll({ rate }: PriceInputs, days: number, restMinutes: number): bigint {
  const rest = restPrice(rate, restMinutes)
  const needed = days * 1440 + restMinutes
  let cheapest: bigint | undefined
  for (let months = 0; ; months += 1) {
    for (let weeks = 0; ; weeks += 1) {
      const coveredDays = months * 30 + weeks * 7
      let price =
        BigInt(months) * (rate.monthlyMinor ?? 0n) + BigInt(weeks) * (rate.weeklyMinor ?? 0n)
      if (coveredDays <= days) price += BigInt(days - coveredDays) * rate.dailyMinor + rest
      if (cheapest === undefined || price < cheapest) cheapest = price
      if (rate.weeklyMinor === null || coveredDays * 1440 >= needed) break
    }
    if (rate.monthlyMinor === null || months * 30 * 1440 >= needed) break
  }
  return cheapest
}

function restPrice(rate: PriceInputs['rate'], restMinutes: number): bigint {
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
