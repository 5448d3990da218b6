import { wholeAtDearest } from '../../../src/domain/pricing/dearestRate.ts'
import { extraAmount } from '../../../src/domain/pricing/extras.ts'
import {
  breakdownLength,
  chargedDays,
  chargedLength,
  dayDate,
  type RentalLength,
  rentalLength,
} from '../../../src/domain/pricing/period.ts'
import { rateLines } from '../../../src/domain/pricing/priceRental.ts'
import {
  type Rate as DomainRate,
  lengthProblem,
  rateOn,
  ratesBetween,
} from '../../../src/domain/pricing/rates.ts'
import { cheapestCombination } from '../../../src/domain/pricing/tierCombinations.ts'
import type { Rate } from '../../typescript/index.ts'
import type { ConfigWithTimeZone, Period } from '../config.ts'
import type { RentalBreakdown, RentalExtra } from '../rental-booking.d.ts'

export interface ChosenExtra {
  readonly extra: RentalExtra
  readonly quantity: number
}

/** The parts of a breakdown that the price of a rental is shown with. */
export interface PriceLines extends Pick<RentalBreakdown, 'days' | 'hours' | 'tax' | 'total'> {
  readonly rate: Pick<RentalBreakdown['rate'], 'lines'>
  readonly extras: readonly Pick<
    RentalBreakdown['extras'][number],
    'name' | 'quantity' | 'amount'
  >[]
}

/** An estimated price, for comparison. Only a quote is binding. */
export interface Guide extends PriceLines {
  readonly currency: string
}

/** Returns the charged length of a period under the tenant's grace period. */
function lengthOf(
  period: Period,
  { timeZone, gracePeriodMinutes = usualGraceMinutes }: ConfigWithTimeZone,
): RentalLength {
  return chargedLength(rentalLength(toDomainPeriod(period, timeZone)), gracePeriodMinutes)
}

const usualGraceMinutes = 29

const toDomainPeriod = ({ pickupDatetime, dropoffDatetime }: Period, timeZone: string) => ({
  pickupAt: new Date(pickupDatetime),
  dropoffAt: new Date(dropoffDatetime),
  timeZone,
})

/**
 * Estimates a price with the server's own functions; undefined if a day has no rate, or for too short a rental.
 * Keep the signature compatible: a widget of another release may load this file.
 */
export function priceGuide(
  rates: readonly Rate[],
  period: Period,
  config: ConfigWithTimeZone,
  chosen: readonly ChosenExtra[] = [],
): Guide | undefined {
  const [{ currency = '', dailyRate = '' } = {}] = rates
  const length = lengthOf(period, config)
  const days = chargedDays(length)
  const rental = toDomainPeriod(period, config.timeZone)
  const lastDate = dayDate(rental, days - 1)
  const dated = ratesBetween(rates.map(toDomain), dayDate(rental, 0), lastDate)
  const ratePeriods: { readonly rate: DomainRate; days: number }[] = []
  for (let day = 0; day < days; day++) {
    const { rate } = rateOn(dated, dayDate(rental, day))
    if (rate === undefined || (day === 0 && lengthProblem(rate, days))) return undefined
    const last = ratePeriods.at(-1)
    if (last?.rate === rate || (last && config.seasons === 'pickup')) last.days += 1
    else ratePeriods.push({ rate, days: 1 })
  }
  let billed = ratePeriods.map(({ rate, days }, at) => {
    const restMinutes = at === ratePeriods.length - 1 ? length.restMinutes : 0
    const whole = { days: days - Number(restMinutes > 0), restMinutes }
    return { rate, combination: cheapestCombination(whole, rate) }
  })
  const whole = wholeAtDearest(
    ratePeriods.map(({ rate }) => rate),
    length,
  )
  let minor = billed.reduce((sum, { combination }) => sum + combination.amountMinor, 0n)
  if (whole && whole.combination.amountMinor < minor) {
    billed = [whole]
    minor = whole.combination.amountMinor
  }
  const decimals = decimalsOf(dailyRate)
  const write = (amount: bigint) => (Number(amount) / 10 ** decimals).toFixed(decimals)
  const extras = chosen.map(({ extra, quantity }) => {
    const amount = extraAmount(toDomainExtra({ extra, quantity }, decimals), days)
    minor += amount
    return { name: extra.name, quantity, amount: write(amount) }
  })
  const { taxPercent: percent = '0', pricesIncludeTax: included = false } = config
  const tenThousandths = BigInt(Math.round(Number(percent) * 10_000))
  const base = wholePercent + (included ? tenThousandths : 0n)
  // Half up. The server's function would bring its list of currencies.
  const tax = (2n * minor * tenThousandths + base) / (2n * base)
  return {
    currency,
    ...breakdownLength(length),
    rate: { lines: rateLines(billed, write) },
    extras,
    tax: { percent, amount: write(tax), included },
    total: write(included ? minor : minor + tax),
  }
}

const wholePercent = 1_000_000n

const decimalsOf = (amount: string) => amount.split('.')[1]?.length ?? 0
/** Parses an amount. Amounts of the API have all decimals; those in a page's config may have fewer. */
function minorOf(amount: string, decimals = 0): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
const optionalMinorOf = (amount: string | null, decimals?: number) =>
  amount === null ? null : minorOf(amount, decimals)

function toDomain({ dailyRate, hourlyRate, weeklyRate, monthlyRate, ...rate }: Rate): DomainRate {
  return {
    ...rate,
    dailyMinor: minorOf(dailyRate),
    hourlyMinor: optionalMinorOf(hourlyRate),
    weeklyMinor: optionalMinorOf(weeklyRate),
    monthlyMinor: optionalMinorOf(monthlyRate),
  }
}

function toDomainExtra({ extra, quantity }: ChosenExtra, decimals: number) {
  const { price, maxPrice = null, ...rest } = extra
  const maxMinor = optionalMinorOf(maxPrice, decimals)
  return { ...rest, quantity, unitMinor: minorOf(price, decimals), maxMinor }
}
