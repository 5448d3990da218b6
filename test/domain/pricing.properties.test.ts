import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cheapestCover, type TierPrices } from '../../src/domain/cover.ts'
import { parseAmount } from '../../src/domain/money.ts'
import { chargedDays, wallClockMinutes } from '../../src/domain/period.ts'
import { type PriceInputs, priceParts, priceRental } from '../../src/domain/pricing.ts'
import { lengthMs, priceInputs } from './arbitraries.ts'
import { wallClock } from './priceOracle.ts'
import { runs } from './runs.ts'

const minutesOf = (inputs: PriceInputs) =>
  wallClockMinutes(inputs.pickupAt, inputs.dropoffAt, inputs.timeZone)
const withTiers = (inputs: PriceInputs, tiers: Partial<TierPrices>): PriceInputs => ({
  ...inputs,
  rate: { ...inputs.rate, ...tiers },
})
const totalOf = (inputs: PriceInputs) => priceRental(inputs).totalMinor

describe('a price', () => {
  // Not on a stopwatch: in the hour a clock repeats, a later drop-off shows an earlier time.
  it('is never lower for a rental that is longer on the wall clock', () => {
    fc.assert(
      fc.property(priceInputs, lengthMs, (inputs, otherLengthMs) => {
        const dropoffAt = new Date(inputs.pickupAt.getTime() + otherLengthMs)
        const rentals = [inputs, { ...inputs, dropoffAt }]
        const [shorter = inputs, longer = inputs] = rentals.sort(
          (a, b) => minutesOf(a) - minutesOf(b),
        )
        expect(totalOf(longer)).toBeGreaterThanOrEqual(totalOf(shorter))
      }),
      runs('longer never costs less', 5000),
    )
  })

  it('is never lower for one minute more, minute by minute around the edges of a day', () => {
    const edge = fc.record({ days: fc.integer({ min: 0, max: 62 }), from: fc.nat({ max: 1380 }) })
    fc.assert(
      fc.property(priceInputs, edge, (inputs, { days, from }) => {
        let previous = 0n
        for (let minute = Math.max(1, from); minute <= from + 62; minute += 1) {
          const lengthMs = (days * 1440 + minute) * 60_000
          const dropoffAt = new Date(inputs.pickupAt.getTime() + lengthMs)
          const total = totalOf({ ...inputs, dropoffAt, timeZone: 'UTC' })
          expect(total).toBeGreaterThanOrEqual(previous)
          previous = total
        }
      }),
      runs('one minute more never costs less'),
    )
  })

  it('is never above a cover by one tier alone, nor by days and hours', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { cover, length } = priceParts(inputs)
        const { rate } = inputs
        const days = chargedDays(length)
        const hours = Math.ceil(length.restMinutes / 60)
        const covers = [BigInt(days) * rate.dailyMinor]
        if (rate.monthlyMinor !== null)
          covers.push(BigInt(Math.ceil(days / 30)) * rate.monthlyMinor)
        if (rate.weeklyMinor !== null) covers.push(BigInt(Math.ceil(days / 7)) * rate.weeklyMinor)
        if (rate.hourlyMinor !== null) {
          covers.push(BigInt(length.days) * rate.dailyMinor + BigInt(hours) * rate.hourlyMinor)
        }
        for (const amountMinor of covers) expect(cover.amountMinor).toBeLessThanOrEqual(amountMinor)
      }),
      runs('never above a single cover'),
    )
  })

  it('is the exact sum of its lines, each with the decimals of the currency', () => {
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
          expect(read(line.amount)).toBe(read(line.unitPrice) * BigInt(line.quantity))
          subtotal += read(line.amount)
        }
        for (const line of breakdown.extras) subtotal += read(line.amount)
        expect(read(breakdown.subtotal)).toBe(subtotal)
        const added = breakdown.tax.included ? 0n : read(breakdown.tax.amount)
        expect(read(breakdown.total)).toBe(subtotal + added)
        expect(totalMinor).toBe(subtotal + added)
      }),
      runs('lines add up'),
    )
  })

  it('has lines that cover the whole rental', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { cover, length } = priceParts(inputs)
        const days = cover.months * 30 + cover.weeks * 7 + cover.days
        const restIsCovered = cover.hours * 60 >= length.restMinutes
        expect(days).toBeGreaterThanOrEqual(restIsCovered ? length.days : length.days + 1)
      }),
      runs('lines cover the rental'),
    )
  })

  it('is not moved by a clock change', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const dayZero = wallClock(new Date(0), 'UTC')
        const onTheWall = (at: Date) => new Date(wallClock(at, inputs.timeZone) - dayZero)
        const pickupAt = onTheWall(inputs.pickupAt)
        const dropoffAt = onTheWall(inputs.dropoffAt)
        // Within the repeated hour the wall clock says nothing, and elapsed minutes decide.
        fc.pre(pickupAt < dropoffAt)
        const steady = priceRental({ ...inputs, pickupAt, dropoffAt, timeZone: 'UTC' })
        expect(priceRental(inputs)).toEqual(steady)
      }),
      runs('clock changes move nothing', 5000),
    )
  })
})

describe('an absent tier', () => {
  it('never makes a price lower than the same card with that tier', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        for (const tier of ['hourlyMinor', 'weeklyMinor', 'monthlyMinor'] as const) {
          expect(totalOf(inputs)).toBeLessThanOrEqual(totalOf(withTiers(inputs, { [tier]: null })))
        }
      }),
      runs('a tier never raises a price'),
    )
  })

  it('costs exactly what its smaller neighbours cost for the same time', () => {
    const days = (count: number, tiers: TierPrices) =>
      cheapestCover({ days: count, restMinutes: 0 }, tiers).amountMinor
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { rate } = inputs
        fc.pre(rate.dailyMinor > 0n)
        const withoutMonth = withTiers(inputs, { monthlyMinor: null })
        const monthlyMinor = days(30, withoutMonth.rate)
        expect(totalOf(withTiers(inputs, { monthlyMinor }))).toBe(totalOf(withoutMonth))

        const byTheDay = withTiers(withoutMonth, { weeklyMinor: null })
        const weeklyMinor = days(7, byTheDay.rate)
        expect(totalOf(withTiers(byTheDay, { weeklyMinor }))).toBe(totalOf(byTheDay))

        const withoutHour = withTiers(inputs, { hourlyMinor: null })
        expect(totalOf(withTiers(inputs, { hourlyMinor: rate.dailyMinor }))).toBe(
          totalOf(withoutHour),
        )
      }),
      runs('an absent tier is its neighbours'),
    )
  })

  it('and a tier of price 0 are the same', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        for (const tier of ['hourlyMinor', 'weeklyMinor', 'monthlyMinor'] as const) {
          const absent = priceRental(withTiers(inputs, { [tier]: null }))
          expect(priceRental(withTiers(inputs, { [tier]: 0n }))).toEqual(absent)
        }
      }),
      runs('price 0 is absent'),
    )
  })
})
