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
  it('are not priced again: whoever asks is told where their lines are', () => {
    const stored = { ...former, pickupAt: '2027-03-28T00:00Z', dropoffAt: '2027-03-28T01:00Z' }
    expect(explainQuote(stored)).toEqual([
      'An earlier release priced this, by the wall clock of Europe/Oslo and the rate "Standard" of the pickup date. Its lines are in `rental bookings show`.',
    ])
  })
})
