import { describe, expect, it } from 'vitest'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'
import { combinationCandidates } from '../../../src/domain/pricing/tierCombinations.ts'
import { standard } from './standardRate.ts'

const rental: PriceInputs = {
  pickupAt: new Date('2027-06-01T08:00Z'),
  dropoffAt: new Date('2027-06-10T10:00Z'),
  timeZone: 'Europe/Oslo',
  gracePeriodMinutes: 29,
  currency: 'NOK',
  seasons: 'per_day',
  rates: [standard],
  extras: [
    {
      id: 'extra-1',
      name: 'Child seat',
      pricing: 'per_day',
      unitMinor: 5000n,
      maxMinor: 30_000n,
      quantity: 2,
    },
    {
      id: 'extra-2',
      name: 'Cleaning',
      pricing: 'per_rental',
      unitMinor: 25_000n,
      // A cap applies only to extras charged per day.
      maxMinor: 10_000n,
      quantity: 1,
    },
  ],
  taxPercent: '25.00',
  pricesIncludeTax: false,
}

describe('priceRental', () => {
  it('ignores tiers of price 0', () => {
    const rate = { ...standard, hourlyMinor: 0n, weeklyMinor: 0n, monthlyMinor: 0n }
    const { lines } = priceRental({ ...rental, rates: [rate] }).breakdown.rate
    expect(lines).toMatchObject([{ unit: 'day', quantity: 10, amount: '4990.00' }])
  })

  it('returns the total, the used rates and the breakdown', () => {
    const line = { rateId: 'rate-1', rateName: 'Standard' }
    expect(priceRental(rental)).toEqual({
      totalMinor: 629_500n,
      usedRates: [standard],
      breakdown: {
        days: 9,
        hours: 2,
        rate: {
          id: 'rate-1',
          name: 'Standard',
          lines: [
            { ...line, unit: 'week', quantity: 1, unitPrice: '2990.00', amount: '2990.00' },
            { ...line, unit: 'day', quantity: 2, unitPrice: '499.00', amount: '998.00' },
            { ...line, unit: 'hour', quantity: 2, unitPrice: '99.00', amount: '198.00' },
          ],
        },
        extras: [
          {
            extraId: 'extra-1',
            name: 'Child seat',
            pricing: 'per_day',
            quantity: 2,
            days: 10,
            unitPrice: '50.00',
            maxPrice: '300.00',
            amount: '600.00',
          },
          {
            extraId: 'extra-2',
            name: 'Cleaning',
            pricing: 'per_rental',
            quantity: 1,
            days: null,
            unitPrice: '250.00',
            maxPrice: null,
            amount: '250.00',
          },
        ],
        subtotal: '5036.00',
        tax: { percent: '25', amount: '1259.00', included: false },
        total: '6295.00',
      },
    })
  })

  it('does not modify its inputs', () => {
    const before = structuredClone(rental)
    priceRental(rental)
    expect(rental).toEqual(before)
  })

  it('rejects a currency that is not in ISO 4217', () => {
    const inGold = { ...rental, currency: 'XAU', rates: [{ ...standard, currency: 'XAU' }] }
    expect(() => priceRental(inGold)).toThrow('"XAU" is not an ISO 4217 currency')
  })
})

describe('priceRental at the end of a season', () => {
  const van = (name: string, dailyMinor: bigint, validFrom: string, validTo: string): Rate => {
    return {
      ...standard,
      id: name,
      name,
      hourlyMinor: null,
      weeklyMinor: null,
      dailyMinor,
      validFrom,
      validTo,
    }
  }
  const rates = [
    van('Spring', 37_500n, '2027-04-01', '2027-06-30'),
    van('Summer', 112_500n, '2027-07-01', '2027-08-31'),
  ]
  const priced = (pickup: string, days: number, seasons: PriceInputs['seasons']) => {
    const pickupAt = new Date(pickup)
    const dropoffAt = new Date(pickupAt.getTime() + days * 86_400_000)
    const noExtras = { extras: [], taxPercent: '0' }
    return priceRental({ ...rental, ...noExtras, pickupAt, dropoffAt, rates, seasons })
  }

  it('charges the old rate for one of 14 days when the pickup is two hours before the new season', () => {
    const twoHoursBefore = '2027-06-30T22:00+02:00'
    expect(priced('2027-07-01T00:00+02:00', 14, 'per_day').breakdown.total).toBe('15750.00')
    const { breakdown, usedRates } = priced(twoHoursBefore, 14, 'per_day')
    // 375 + 13 × 1125
    expect(breakdown.total).toBe('15000.00')
    expect(breakdown.rate.lines).toMatchObject([
      { rateId: 'Spring', rateName: 'Spring', unit: 'day', quantity: 1, amount: '375.00' },
      { rateId: 'Summer', rateName: 'Summer', unit: 'day', quantity: 13, amount: '14625.00' },
    ])
    expect(usedRates).toEqual(rates)
    // With seasons of the pickup: 14 × 375.
    expect(priced(twoHoursBefore, 14, 'pickup').breakdown.total).toBe('5250.00')
  })

  it.each(['per_day', 'pickup'] as const)(
    'rejects a rental that continues after the last season, with seasons %s',
    (seasons) => {
      expect(() => priced('2027-08-31T10:00+02:00', 91, seasons)).toThrow(
        'No rate is configured for this asset group on 2027-09-01.',
      )
    },
  )

  it('charges each of 366 days at its own rate', () => {
    const daily = Array.from({ length: 400 }, (_, day) => {
      const date = new Date(Date.UTC(2027, 5, 1 + day)).toISOString().slice(0, 10)
      return van(date, 100n + BigInt(day), date, date)
    })
    const pickupAt = new Date('2027-06-01T08:00Z')
    const dropoffAt = new Date(pickupAt.getTime() + 366 * 86_400_000)
    const { breakdown } = priceRental({
      ...rental,
      extras: [],
      taxPercent: '0',
      rates: daily,
      pickupAt,
      dropoffAt,
    })
    // 366 × 1.00, and the sum of 0 to 365 cents.
    expect(breakdown.total).toBe('1033.95')
  })
})

describe('priceRental with overlapping rates', () => {
  it('charges the weekly rate even if another, unused rate ends during that week', () => {
    const rates = [
      { ...standard, validFrom: '2027-01-01' },
      { ...standard, id: 'rate-2', dailyMinor: 1n, validTo: '2027-06-04' },
    ]
    const dropoffAt = new Date('2027-06-08T08:00Z')
    const { breakdown } = priceRental({ ...rental, dropoffAt, rates, extras: [] })
    expect(breakdown.rate.lines).toMatchObject([{ rateId: 'rate-1', unit: 'week', quantity: 1 }])
  })
})

// The clock of Nuuk goes from 23:00 on 27 March 2027 to midnight, so a day due at 23:30
// starts at 00:30 on the 28th.
describe('priceRental on a day with a skipped hour', () => {
  const rates: Rate[] = [
    { ...standard, hourlyMinor: null, dailyMinor: 10_000n, validTo: '2027-03-27' },
    { ...standard, id: 'rate-2', dailyMinor: 20_000n, validFrom: '2027-03-28' },
  ]
  it('charges a day at the rate of the next date when a skipped hour moves its start past midnight', () => {
    const { breakdown } = priceRental({
      ...rental,
      timeZone: 'America/Nuuk',
      pickupAt: new Date('2027-03-26T23:30-02:00'),
      dropoffAt: new Date('2027-03-29T23:30-01:00'),
      rates,
      extras: [],
    })
    expect(breakdown.rate.lines).toMatchObject([
      { rateId: 'rate-1', unit: 'day', quantity: 1, amount: '100.00' },
      { rateId: 'rate-2', unit: 'day', quantity: 2, amount: '400.00' },
    ])
  })
})

describe('combinationCandidates', () => {
  it('returns fewer than 90 combinations for a rental of 366 days', () => {
    const tiers = { ...standard, monthlyMinor: 999_000n }
    expect(
      combinationCandidates({ days: 3, restMinutes: 0 }, { ...tiers, weeklyMinor: null }),
    ).toHaveLength(2)
    expect(combinationCandidates({ days: 366, restMinutes: 30 }, tiers).length).toBeLessThan(90)
  })
})
