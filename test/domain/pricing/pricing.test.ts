import { describe, expect, it } from 'vitest'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
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
})

it.each(['per_day', 'pickup'] as const)(
  'names the first date of a rental that has no rate, with seasons %s',
  (seasons) => {
    const rates = [{ ...standard, validTo: '2027-06-05' }]
    expect(() => priceRental({ ...rental, rates, seasons })).toThrow(
      'No rate is configured for this asset group on 2027-06-06.',
    )
  },
)

describe('combinationCandidates', () => {
  it('returns fewer than 90 combinations for a rental of 366 days', () => {
    const tiers = { ...standard, monthlyMinor: 999_000n }
    expect(
      combinationCandidates({ days: 3, restMinutes: 0 }, { ...tiers, weeklyMinor: null }),
    ).toHaveLength(2)
    expect(combinationCandidates({ days: 366, restMinutes: 30 }, tiers).length).toBeLessThan(90)
  })
})
