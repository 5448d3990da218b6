import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/domain/money.ts'
import { chargedDays, chargedLength, rentalLength } from '../../../src/domain/pricing/period.ts'
import {
  type PriceInputs,
  priceParts,
  priceRental,
} from '../../../src/domain/pricing/priceRental.ts'
import {
  cheapestCombination,
  type TierPrices,
} from '../../../src/domain/pricing/tierCombinations.ts'
import { lengthMs, oneRateInputs, priceInputs } from './arbitraries.ts'
import { runs } from './runs.ts'

const rateOf = ({ rates: [rate] }: PriceInputs) => {
  if (rate === undefined) throw new Error('No rate was drawn')
  return rate
}
const withTiers = (inputs: PriceInputs, tiers: Partial<TierPrices>): PriceInputs => ({
  ...inputs,
  rates: [{ ...rateOf(inputs), ...tiers }],
})
const totalOf = (inputs: PriceInputs) => priceRental(inputs).totalMinor
const later = (inputs: PriceInputs, ms: number): PriceInputs => ({
  ...inputs,
  dropoffAt: new Date(inputs.pickupAt.getTime() + ms),
})

describe('a later drop-off', () => {
  it('never lowers the price when the drop-off is later', () => {
    fc.assert(
      fc.property(priceInputs, lengthMs, (inputs, otherMs) => {
        const other = later(inputs, otherMs)
        const [sooner, after] =
          other.dropoffAt < inputs.dropoffAt ? [other, inputs] : [inputs, other]
        expect(totalOf(after)).toBeGreaterThanOrEqual(totalOf(sooner))
      }),
      runs('later never costs less', 5000),
    )
  })

  it('never lowers the price when the drop-off is a minute later, around the end of a day', () => {
    const edge = fc.record({ days: fc.integer({ min: 0, max: 62 }), from: fc.nat({ max: 1500 }) })
    fc.assert(
      fc.property(priceInputs, edge, (inputs, { days, from }) => {
        let previous = 0n
        for (let minute = Math.max(1, from); minute <= from + 62; minute += 1) {
          const total = totalOf(later(inputs, (days * 1440 + minute) * 60_000))
          expect(total).toBeGreaterThanOrEqual(previous)
          previous = total
        }
      }),
      runs('one minute more never costs less', 500),
    )
  })

  it('never lowers the price when the drop-off is a minute later, in the night when clocks go back', () => {
    fc.assert(
      fc.property(priceInputs, fc.nat({ max: 4320 }), (inputs, before) => {
        const pickupAt = new Date(Date.parse('2027-10-31T02:00Z') - before * 60_000)
        const rental = { ...inputs, pickupAt, timeZone: 'Europe/Oslo' }
        let previous = 0n
        for (let minute = Math.max(1, before - 150); minute <= before + 30; minute += 1) {
          const total = totalOf(later(rental, minute * 60_000))
          expect(total).toBeGreaterThanOrEqual(previous)
          previous = total
        }
      }),
      runs('a minute more never costs less when clocks go back', 300),
    )
  })
})

describe('a price', () => {
  it('never charges more than months only, weeks only, days only, or days and hours', () => {
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        const { subtotalMinor, charged } = priceParts({ ...inputs, extras: [] })
        const rate = rateOf(inputs)
        const days = chargedDays(charged)
        const hours = Math.ceil(charged.restMinutes / 60)
        const combinations = [BigInt(days) * rate.dailyMinor]
        if (rate.monthlyMinor !== null)
          combinations.push(BigInt(Math.ceil(days / 30)) * rate.monthlyMinor)
        if (rate.weeklyMinor !== null)
          combinations.push(BigInt(Math.ceil(days / 7)) * rate.weeklyMinor)
        if (rate.hourlyMinor !== null) {
          combinations.push(
            BigInt(charged.days) * rate.dailyMinor + BigInt(hours) * rate.hourlyMinor,
          )
        }
        for (const amountMinor of combinations)
          expect(subtotalMinor).toBeLessThanOrEqual(amountMinor)
      }),
      runs('never above a single combination'),
    )
  })

  it('charges the sum of the lines, each recalculated from its own fields', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { totalMinor, breakdown } = priceRental(inputs)
        const { decimals } = priceParts(inputs)
        const read = (amount: string) => {
          expect(amount).toMatch(decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`))
          return parseAmount(amount, decimals)
        }
        let subtotal = 0n
        for (const line of breakdown.rate.lines) {
          const rate = inputs.rates.find(({ id }) => id === line.rateId)
          const tierMinor = {
            month: rate?.monthlyMinor,
            week: rate?.weeklyMinor,
            day: rate?.dailyMinor,
            hour: rate?.hourlyMinor,
          }[line.unit]
          expect([line.rateName, read(line.unitPrice)]).toEqual([rate?.name, tierMinor])
          expect(read(line.amount)).toBe(read(line.unitPrice) * BigInt(line.quantity))
          subtotal += read(line.amount)
        }
        for (const line of breakdown.extras) {
          let unit = read(line.unitPrice) * BigInt(line.days ?? 1)
          if (line.maxPrice !== null && read(line.maxPrice) < unit) unit = read(line.maxPrice)
          expect(read(line.amount)).toBe(unit * BigInt(line.quantity))
          expect(line.days === null).toBe(line.pricing === 'per_rental')
          subtotal += read(line.amount)
        }
        expect(read(breakdown.subtotal)).toBe(subtotal)
        const added = breakdown.tax.included ? 0n : read(breakdown.tax.amount)
        expect(read(breakdown.total)).toBe(subtotal + added)
        expect(totalMinor).toBe(subtotal + added)
        expect(breakdown.hours).toBeLessThan(24)
      }),
      runs('lines add up', 3000),
    )
  })

  it('splits the rental into rate periods whose lines cover each period', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { ratePeriods, charged } = priceParts(inputs)
        let daysInAll = 0
        for (const { combination, length } of ratePeriods) {
          const days = combination.months * 30 + combination.weeks * 7 + combination.days
          const restIsCovered = combination.hours * 60 >= length.restMinutes
          expect(days).toBeGreaterThanOrEqual(restIsCovered ? length.days : length.days + 1)
          daysInAll += length.days
        }
        expect(daysInAll).toBe(charged.days)
        expect(ratePeriods.at(-1)?.length.restMinutes).toBe(charged.restMinutes)
        expect(charged).toEqual(chargedLength(rentalLength(inputs), inputs.gracePeriodMinutes))
      }),
      runs('lines cover the rental'),
    )
  })

  it('charges the same for per_day and pickup seasons when there is only one rate', () => {
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        const [byDay, byPickup] = (['per_day', 'pickup'] as const).map((seasons) =>
          priceRental({ ...inputs, seasons }),
        )
        expect(byDay).toEqual(byPickup)
      }),
      runs('one rate costs the same for any seasons'),
    )
  })
})

describe('a missing tier', () => {
  it('never charges less when a tier is missing', () => {
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        for (const tier of ['hourlyMinor', 'weeklyMinor', 'monthlyMinor'] as const) {
          expect(totalOf(inputs)).toBeLessThanOrEqual(totalOf(withTiers(inputs, { [tier]: null })))
        }
      }),
      runs('a tier never raises a price'),
    )
  })

  it('charges a missing tier at the price of smaller tiers for the same time', () => {
    const days = (count: number, tiers: TierPrices) =>
      cheapestCombination({ days: count, restMinutes: 0 }, tiers).amountMinor
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        const { dailyMinor } = rateOf(inputs)
        fc.pre(dailyMinor > 0n)
        const withoutMonth = withTiers(inputs, { monthlyMinor: null })
        const monthlyMinor = days(30, rateOf(withoutMonth))
        expect(totalOf(withTiers(inputs, { monthlyMinor }))).toBe(totalOf(withoutMonth))

        const byTheDay = withTiers(withoutMonth, { weeklyMinor: null })
        const weeklyMinor = days(7, rateOf(byTheDay))
        expect(totalOf(withTiers(byTheDay, { weeklyMinor }))).toBe(totalOf(byTheDay))

        const withoutHour = withTiers(inputs, { hourlyMinor: null })
        expect(totalOf(withTiers(inputs, { hourlyMinor: dailyMinor }))).toBe(totalOf(withoutHour))
      }),
      runs('a missing tier costs what smaller tiers cost'),
    )
  })

  it('charges the same for a missing tier and a tier of price 0', () => {
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        const priceOf = (tiers: Partial<TierPrices>) => {
          const { totalMinor, breakdown } = priceRental(withTiers(inputs, tiers))
          return { totalMinor, breakdown }
        }
        for (const tier of ['hourlyMinor', 'weeklyMinor', 'monthlyMinor'] as const) {
          expect(priceOf({ [tier]: 0n })).toEqual(priceOf({ [tier]: null }))
        }
      }),
      runs('price 0 equals a missing tier'),
    )
  })
})
