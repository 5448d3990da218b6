import { describe, expect, it } from 'vitest'
import { coverCandidates } from '../../src/domain/cover.ts'
import { type PriceInputs, priceRental } from '../../src/domain/pricing.ts'

const rental: PriceInputs = {
  pickupAt: new Date('2027-06-01T08:00Z'),
  dropoffAt: new Date('2027-06-10T10:00Z'),
  timeZone: 'Europe/Oslo',
  gracePeriodMinutes: 29,
  currency: 'NOK',
  rate: {
    id: 'rate-1',
    name: 'Standard',
    currency: 'NOK',
    dailyMinor: 49_900n,
    hourlyMinor: 9900n,
    weeklyMinor: 299_000n,
    monthlyMinor: null,
    validFrom: null,
    validTo: null,
  },
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
      maxMinor: null,
      quantity: 1,
    },
  ],
  taxPercent: '25.00',
  pricesIncludeTax: false,
}

describe('a priced rental', () => {
  it('has the breakdown an answer shows', () => {
    expect(priceRental(rental)).toEqual({
      totalMinor: 629_500n,
      breakdown: {
        days: 9,
        hours: 2,
        rate: {
          id: 'rate-1',
          name: 'Standard',
          lines: [
            { unit: 'week', quantity: 1, unitPrice: '2990.00', amount: '2990.00' },
            { unit: 'day', quantity: 2, unitPrice: '499.00', amount: '998.00' },
            { unit: 'hour', quantity: 2, unitPrice: '99.00', amount: '198.00' },
          ],
        },
        extras: [
          {
            extraId: 'extra-1',
            name: 'Child seat',
            pricing: 'per_day',
            quantity: 2,
            unitPrice: '50.00',
            amount: '600.00',
          },
          {
            extraId: 'extra-2',
            name: 'Cleaning',
            pricing: 'per_rental',
            quantity: 1,
            unitPrice: '250.00',
            amount: '250.00',
          },
        ],
        subtotal: '5036.00',
        tax: { percent: '25', amount: '1259.00', included: false },
        total: '6295.00',
      },
    })
  })

  it('leaves its inputs as they were', () => {
    const before = structuredClone(rental)
    priceRental(rental)
    expect(rental).toEqual(before)
  })

  it('refuses a currency that is none, or that is not the rate’s', () => {
    const inGold = { ...rental, currency: 'XAU', rate: { ...rental.rate, currency: 'XAU' } }
    expect(() => priceRental(inGold)).toThrow('"XAU" is not an ISO 4217 currency')
    expect(() => priceRental({ ...rental, currency: 'SEK' })).toThrow(
      'A rate in NOK cannot price a rental in SEK',
    )
  })
})

describe('the covers considered', () => {
  it('are few, however long the rental', () => {
    const tiers = { ...rental.rate, monthlyMinor: 999_000n }
    expect(
      coverCandidates({ days: 3, restMinutes: 0 }, { ...tiers, weeklyMinor: null }),
    ).toHaveLength(2)
    expect(coverCandidates({ days: 366, restMinutes: 30 }, tiers).length).toBeLessThan(90)
  })
})
