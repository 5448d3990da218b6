import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainQuote } from '../../src/domain/explain.ts'
import type { FormerInputs } from '../../src/domain/frozenInputs.ts'
import { freezeInputs, thawInputs } from '../../src/domain/frozenInputs.ts'
import { priceRental } from '../../src/domain/pricing.ts'
import type { Rate } from '../../src/domain/rates.ts'
import { priceInputs } from './arbitraries.ts'
import { runs } from './runs.ts'

const sample = () => {
  const [inputs] = fc.sample(priceInputs, 1)
  if (inputs === undefined) throw new Error('No sample')
  return inputs
}

describe('frozen inputs', () => {
  it('survive JSON and price the same, with no more rates than the price needs', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const price = priceRental(inputs)
        const frozen = freezeInputs(inputs, price.usedRates)
        const thawed = thawInputs(JSON.parse(JSON.stringify(frozen)))
        expect(thawed).toEqual({ ...inputs, rates: price.usedRates })
        expect(priceRental(thawed)).toEqual(price)
      }),
      runs('frozen inputs survive'),
    )
  })

  it('keep nothing but what a price depends on', () => {
    const inputs = sample()
    const row = { ...inputs.rates[0], archivedAt: null, tenantId: 'fjord-cars' } as Rate
    const frozen = freezeInputs(inputs, [row])
    expect(Object.keys(frozen.rates[0] ?? {})).toHaveLength(9)
  })

  it('of a later engine are refused', () => {
    const inputs = sample()
    const frozen = JSON.parse(JSON.stringify({ ...freezeInputs(inputs, []), engine: 3 }))
    expect(() => thawInputs(frozen)).toThrow('Inputs of engine 3; this is engine 2')
  })
})

/** As the release before stored it; only what varies is left to the tests. */
const former: FormerInputs = {
  engine: 1,
  pickupAt: '',
  dropoffAt: '',
  timeZone: 'Europe/Oslo',
  gracePeriodMinutes: 29,
  currency: 'EUR',
  rate: {
    id: '0198c000-0000-7000-8000-000000000001',
    name: 'Standard',
    currency: 'EUR',
    dailyMinor: '5000',
    hourlyMinor: '1000',
    weeklyMinor: '30000',
    monthlyMinor: '100000',
    validFrom: '2027-01-01',
    validTo: '2027-10-31',
  },
  extras: [],
  taxPercent: '25',
  pricesIncludeTax: false,
}

describe('inputs of engine 1', () => {
  // Totals as that engine gave them.
  it.each([
    ['two hours on the wall, one that passed', '2027-03-28T00:00Z', '2027-03-28T01:00Z', '25.00'],
    ['two on the wall, three that passed', '2027-10-30T23:00Z', '2027-10-31T02:00Z', '25.00'],
    ['a clock that went back', '2027-10-31T00:50Z', '2027-10-31T01:10Z', '12.50'],
    ['the same time shown twice', '2027-10-31T00:30Z', '2027-10-31T01:30Z', '12.50'],
    ['91 days from the last of a rate', '2027-10-31T10:00Z', '2028-01-30T10:00Z', '3812.50'],
    ['a started minute', '2027-06-01T08:00Z', '2027-06-01T22:59:30Z', '62.50'],
    ['a started hour', '2027-06-01T08:00Z', '2027-06-01T10:00:30Z', '37.50'],
    ['two days, an hour of them skipped', '2027-03-27T09:00Z', '2027-03-29T08:00Z', '125.00'],
    ['a fortnight', '2027-06-30T20:00Z', '2027-07-14T20:00Z', '750.00'],
  ])('price and explain as they did: %s', (_, pickupAt, dropoffAt, total) => {
    const stored = { ...former, pickupAt, dropoffAt }
    expect(priceRental(thawInputs(stored)).breakdown.total).toBe(total)
    const steps = explainQuote(stored)
    expect(steps[0]).toContain('by the wall clock of Europe/Oslo')
    expect(steps.at(-1)).toBe(`The total is ${total} EUR.`)
  })
})
