import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainPrice, explainQuote } from '../../../src/domain/pricing/explain.ts'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
import { takeSnapshot } from '../../../src/domain/pricing/priceSnapshot.ts'
import { priceInputs } from './arbitraries.ts'
import { runs } from './runs.ts'
import { standard } from './standardRate.ts'

const rental: PriceInputs = {
  pickupAt: new Date('2027-03-27T09:00Z'),
  dropoffAt: new Date('2027-04-02T10:00Z'),
  timeZone: 'Europe/Oslo',
  gracePeriodMinutes: 29,
  currency: 'NOK',
  seasons: 'per_day',
  rates: [standard],
  extras: [],
  taxPercent: '25',
  pricesIncludeTax: false,
}

const seat = {
  id: 'extra-1',
  name: 'Child seat',
  pricing: 'per_day',
  unitMinor: 5000n,
  maxMinor: 30_000n,
  quantity: 2,
} as const

describe('explainPrice', () => {
  it('lists every step of a price calculation', () => {
    const cleaning = { ...seat, name: 'Cleaning', pricing: 'per_rental', quantity: 1 } as const
    expect(explainPrice({ ...rental, extras: [seat, cleaning] })).toEqual([
      'Pickup is at 2027-03-27T09:00:00.000Z, drop-off at 2027-04-02T10:00:00.000Z.',
      'The clock in Europe/Oslo shows 2027-03-27 10:00:00 and 2027-04-02 12:00:00.',
      'The clock was changed in between: 8700 minutes passed, but days are counted on the clock.',
      'The length is 6 full days and 120 minutes.',
      'The rest exceeds the grace of 29 minutes, so all of it is charged: 2 started hours.',
      'From 2027-03-27, 6 days and the rest by the rate "Standard" (rate-1) in NOK: month (30 days) none, week (7 days) 2990.00, day 499.00, hour 99.00.',
      'Considered: 1 week at 2990.00, the lowest price.',
      'Considered: 7 days at 3493.00, 503.00 more.',
      'Considered: 1 week + 2 hours at 3188.00, 198.00 more.',
      'Considered: 6 days + 2 hours at 3192.00, 202.00 more.',
      'Charged: 1 week, the cheapest.',
      'Extra "Child seat": 50.00 per day for 7 charged days is 350.00, capped at 300.00; for 2, that is 600.00.',
      'Extra "Cleaning": 50.00 per rental; for 1, that is 50.00.',
      'The subtotal is 2990.00 + 600.00 + 50.00 = 3640.00.',
      'Tax of 25 % is added: 910.00, computed once on the subtotal and rounded half up.',
      'The total is 4550.00 NOK.',
    ])
  })

  it.each([
    ['2027-06-01T08:00Z', '2027-06-01T08:10Z', 'Under a day there is no grace: 1 started hour.'],
    ['2027-06-01T08:00Z', '2027-06-02T08:00Z', 'There is no time left over beyond the full days.'],
    ['2027-06-01T08:00Z', '2027-06-03T08:00Z', 'The length is 2 full days.'],
    ['2027-06-01T08:00Z', '2027-06-03T08:00Z', 'The subtotal is 998.00.'],
    [
      '2027-06-01T08:00Z',
      '2027-06-02T08:29Z',
      'The rest is within the grace of 29 minutes and free.',
    ],
    ['2027-10-31T00:50Z', '2027-10-31T01:10Z', 'The length is 20 minutes.'],
    [
      '2027-10-30T08:00Z',
      '2027-11-01T09:00Z',
      'The clock was changed in between: 2940 minutes passed, but days are counted on the clock.',
    ],
    [
      '2027-06-01T08:00Z',
      '2027-06-02T08:30Z',
      'From 2027-06-01, 1 day and the rest by the rate "Standard" (rate-1) in NOK: month (30 days) none, week (7 days) 2990.00, day 499.00, hour 99.00.',
    ],
  ])('explains a rental from %s to %s with: %s', (pickup, dropoff, sentence) => {
    const pickupAt = new Date(pickup)
    const dropoffAt = new Date(dropoff)
    expect(explainPrice({ ...rental, pickupAt, dropoffAt })).toContain(sentence)
  })

  it('reports no clock change for a drop-off that is not on a full minute', () => {
    const [pickupAt, dropoffAt] = [new Date('2027-06-01T08:00Z'), new Date('2027-06-01T08:10:30Z')]
    const steps = explainPrice({ ...rental, pickupAt, dropoffAt })
    expect(steps[2]).toBe('The length is 11 minutes.')
  })

  it('writes "0 minutes" when the grace period is zero', () => {
    expect(explainPrice({ ...rental, gracePeriodMinutes: 0 })).toContain(
      'The rest exceeds the grace of 0 minutes, so all of it is charged: 2 started hours.',
    )
  })

  it('includes the tie rule when combinations cost the same', () => {
    const rates = [{ ...standard, hourlyMinor: 24_950n }]
    const dropoffAt = new Date('2027-03-28T10:00Z')
    const steps = explainPrice({ ...rental, dropoffAt, rates })
    const charged = steps.findIndex((step) => step.startsWith('Charged: '))
    expect(steps.slice(charged - 1, charged + 2)).toEqual([
      'Considered: 1 day + 2 hours at 998.00, the lowest price.',
      'Charged: 2 days, the cheapest.',
      'If several combinations cost the same, one without hours is charged if there is one, then the one with the most months, then with the most weeks.',
    ])
  })

  it('compares the rate periods with the whole rental at the dearest rate, which is charged', () => {
    const prices = { dailyMinor: 2550n, weeklyMinor: 15_000n, hourlyMinor: null }
    const june = { ...standard, ...prices, name: 'June', validTo: '2027-06-30' }
    const high = { ...june, id: 'rate-2', name: 'July', dailyMinor: 2800n, weeklyMinor: 17_400n }
    const rates = [june, { ...high, validFrom: '2027-07-01', validTo: null }]
    const inputs = { ...rental, rates, taxPercent: '20' }
    const week = (from: string, to: string) => ({
      ...inputs,
      pickupAt: new Date(`2027-${from}T08:00Z`),
      dropoffAt: new Date(`2027-${to}T08:00Z`),
    })
    const overBorder = week('06-28', '07-05')
    expect(priceRental(overBorder)).toMatchObject({
      breakdown: {
        total: '208.80',
        rate: { id: 'rate-1', lines: [{ rateId: 'rate-2', unit: 'week', quantity: 1 }] },
      },
      usedRates: [{ id: 'rate-1' }, { id: 'rate-2' }],
    })
    expect(priceRental(week('07-02', '07-09')).breakdown.total).toBe('208.80')
    expect(priceRental(week('06-21', '06-28')).breakdown.total).toBe('180.00')
    const steps = explainPrice(overBorder)
    expect(steps).toContain('By itself: 3 days, the cheapest.')
    expect(steps.slice(-7)).toEqual([
      'The whole rental at the dearest of these rates, "July" (rate-2), costs 174.00, the rate periods 188.50: the whole rental is charged.',
      'Considered: 1 week at 174.00, the lowest price.',
      'Considered: 7 days at 196.00, 22.00 more.',
      'Charged: 1 week, the cheapest.',
      'The subtotal is 174.00.',
      'Tax of 20 % is added: 34.80, computed once on the subtotal and rounded half up.',
      'The total is 208.80 NOK.',
    ])
    // Equally dear: the rate periods are charged.
    const alone = { ...june, weeklyMinor: null }
    const same = [alone, { ...alone, id: 'rate-2', validFrom: '2027-07-01', validTo: null }]
    const lines = priceRental({ ...overBorder, rates: same }).breakdown.rate.lines
    expect(lines.map(({ rateId, quantity }) => [rateId, quantity])).toEqual([
      ['rate-1', 3],
      ['rate-2', 4],
    ])
  })

  it('charges an extra for no additional day when the rest is within the grace', () => {
    const dropoffAt = new Date('2027-03-29T08:20Z')
    expect(explainPrice({ ...rental, dropoffAt, extras: [seat] })).toContain(
      'Extra "Child seat": 50.00 per day for 2 charged days is 100.00; for 2, that is 200.00.',
    )
  })

  it('lists the rate period of each season and of the rest', () => {
    const april = { ...standard, id: 'rate-2', name: 'April', weeklyMinor: null }
    const rates = [
      { ...standard, validTo: '2027-03-31' },
      { ...april, dailyMinor: 60_000n, validFrom: '2027-04-01' },
    ]
    const dropoffAt = new Date('2027-04-01T10:00Z')
    const steps = explainPrice({ ...rental, dropoffAt, rates })
    expect(steps.slice(5)).toEqual([
      'Each day is priced by the rate of its date, in 2 rate periods.',
      'From 2027-03-27, 5 days by the rate "Standard" (rate-1) in NOK: month (30 days) none, week (7 days) 2990.00, day 499.00, hour 99.00.',
      'Considered: 1 week at 2990.00, 495.00 more.',
      'Considered: 5 days at 2495.00, the lowest price.',
      'Charged: 5 days, the cheapest.',
      'From 2027-04-01, the rest by the rate "April" (rate-2) in NOK: month (30 days) none, week (7 days) none, day 600.00, hour 99.00.',
      'Considered: 1 day at 600.00, 402.00 more.',
      'Considered: 2 hours at 198.00, the lowest price.',
      'Charged: 2 hours, the cheapest.',
      'The whole rental at the dearest of these rates, "April" (rate-2), costs 3198.00, the rate periods 2693.00: the rate periods are charged.',
      'The subtotal is 2495.00 + 198.00 = 2693.00.',
      'Tax of 25 % is added: 673.25, computed once on the subtotal and rounded half up.',
      'The total is 3366.25 NOK.',
    ])
    const easter = { ...april, validFrom: '2027-03-29', validTo: '2027-03-30' }
    expect(explainPrice({ ...rental, rates: [standard, easter] })).toContain(
      'Each day is priced by the rate of its date, in 3 rate periods.',
    )
    expect(explainPrice({ ...rental, dropoffAt, rates, seasons: 'pickup' })).toContain(
      'The rate of the pickup date prices all days (seasons: pickup).',
    )
  })

  it('omits the steps for clock change, several combinations and price cap when none applies, also for a stored quote', () => {
    const daily = { ...standard, hourlyMinor: null, weeklyMinor: null }
    const inputs = {
      ...rental,
      pickupAt: new Date('2027-06-01T08:00Z'),
      dropoffAt: new Date('2027-06-04T10:00Z'),
      rates: [daily],
      extras: [{ ...seat, maxMinor: 20_000n }],
      pricesIncludeTax: true,
    }
    const steps = explainPrice(inputs)
    expect(steps.slice(2)).toEqual([
      'The length is 3 full days and 120 minutes.',
      'The rest exceeds the grace of 29 minutes, so all of it is charged: 2 started hours.',
      'From 2027-06-01, 3 days and the rest by the rate "Standard" (rate-1) in NOK: month (30 days) none, week (7 days) none, day 499.00, hour none.',
      'Considered: 4 days at 1996.00, the lowest price.',
      'Charged: 4 days, the only combination.',
      'Extra "Child seat": 50.00 per day for 4 charged days is 200.00; for 2, that is 400.00.',
      'The subtotal is 1996.00 + 400.00 = 2396.00.',
      'The subtotal contains 25 % tax: 479.20, computed once on the subtotal and rounded half up.',
      'The total is 2396.00 NOK.',
    ])
    expect(explainQuote(takeSnapshot(inputs, [daily]))).toEqual(steps)
  })

  it('ends the explanation with the total of priceRental', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { total } = priceRental(inputs).breakdown
        expect(explainPrice(inputs).at(-1)).toBe(`The total is ${total} ${inputs.currency}.`)
      }),
      runs('the explanation ends with the total'),
    )
  })
})
