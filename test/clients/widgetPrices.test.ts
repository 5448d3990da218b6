import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceGuide } from '../../clients/widget/lazy/guide.ts'
import { instantMs, wallClockMs } from '../../clients/widget/zone.ts'
import { formatAmount } from '../../src/domain/money.ts'
import { priceRental } from '../../src/domain/pricing/priceRental.ts'
import * as domain from '../../src/domain/timeZone.ts'
import { standard } from '../domain/pricing/standardRate.ts'

const zones = ['Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']
const zone = fc.constantFrom(...zones)
const minuteMs = 60_000
/** The years 2026 to 2030, by the minute. */
const instant = fc.integer({ min: 29_454_000, max: 32_080_000 }).map((minute) => minute * minuteMs)

const july = { id: 'july', dailyMinor: 69_900n, hourlyMinor: null, weeklyMinor: null }
const card = [
  standard,
  { ...standard, ...july, minDays: 3, validFrom: '2027-07-01', validTo: '2027-07-31' },
]
const amount = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, 2))
const listed = card.map(({ dailyMinor, hourlyMinor, weeklyMinor, monthlyMinor, ...rate }) => ({
  ...rate,
  dailyRate: formatAmount(dailyMinor, 2),
  hourlyRate: amount(hourlyMinor),
  weeklyRate: amount(weeklyMinor),
  monthlyRate: amount(monthlyMinor),
}))
const seat = {
  id: 's',
  name: 'Seat',
  pricing: 'per_day',
  price: '50.00',
  maxPrice: '300.00',
} as const

describe('widget clock', () => {
  it('converts random times like the server in four time zones', () => {
    const check = fc.property(instant, zone, (ms, timeZone) => {
      const at = new Date(ms)
      expect(wallClockMs(at, timeZone)).toBe(domain.wallClockMs(at, timeZone))
      expect(instantMs(ms, timeZone)).toBe(domain.instantMs(ms, timeZone))
    })
    fc.assert(check, { numRuns: 300 })
  })

  it.each([
    ['a skipped hour', '2027-03-28T02:30'],
    ['a repeated hour', '2027-10-31T02:30'],
  ])('converts %s like the server', (_, wall) => {
    const wallMs = Date.parse(`${wall}Z`)
    expect(instantMs(wallMs, 'Europe/Oslo')).toBe(domain.instantMs(wallMs, 'Europe/Oslo'))
  })
})

describe('priceGuide', () => {
  it('returns the price of the quote, or none where the quote is rejected, when the config has the terms of the tenant', () => {
    const terms = fc.record({
      timeZone: zone,
      taxPercent: fc.constantFrom('0', '7.7', '25'),
      pricesIncludeTax: fc.boolean(),
      gracePeriodMinutes: fc.constantFrom(0, 29),
      seasons: fc.constantFrom('per_day' as const, 'pickup' as const),
    })
    // Rentals of up to two months around July.
    const from = fc
      .integer({ min: 0, max: 60 * 1440 })
      .map((minute) => 1_811_800_000_000 + minute * minuteMs)
    const length = fc.integer({ min: 1, max: 60 * 1440 })
    const quantity = fc.integer({ min: 0, max: 4 })
    const check = fc.property(terms, from, length, quantity, (config, fromMs, minutes, seats) => {
      const [pickupAt, dropoffAt] = [new Date(fromMs), new Date(fromMs + minutes * minuteMs)]
      const extras = [
        {
          id: 's',
          name: 'Seat',
          pricing: 'per_day' as const,
          quantity: seats,
          unitMinor: 5_000n,
          maxMinor: 30_000n,
        },
      ]
      const rental = { ...config, pickupAt, dropoffAt, currency: 'NOK', rates: card, extras }
      const period = {
        pickupDatetime: pickupAt.toISOString(),
        dropoffDatetime: dropoffAt.toISOString(),
      }
      const guide = priceGuide(listed, period, config, [{ extra: seat, quantity: seats }])
      if (guide === undefined) {
        expect(() => priceRental(rental)).toThrow(/at least 3 days/)
        return
      }
      const { breakdown, totalMinor } = priceRental(rental)
      const { days, hours } = breakdown
      expect(guide).toMatchObject({ total: Number(totalMinor) / 100, days, hours })
    })
    fc.assert(check, { numRuns: 300 })
  })

  it('returns undefined when a day has no rate', () => {
    const period = {
      pickupDatetime: '2027-07-30T10:00:00Z',
      dropoffDatetime: '2027-08-03T10:00:00Z',
    }
    const guide = priceGuide(listed.slice(1), period, { timeZone: 'Europe/Oslo' })
    expect(guide).toBe(undefined)
  })
})
