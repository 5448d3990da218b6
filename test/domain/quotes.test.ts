import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceRental } from '../../src/domain/pricing.ts'
import { freezeInputs, thawInputs } from '../../src/domain/quotes.ts'
import { priceInputs } from './arbitraries.ts'
import { runs } from './runs.ts'

describe('frozen inputs', () => {
  it('survive JSON and price the same', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const thawed = thawInputs(JSON.parse(JSON.stringify(freezeInputs(inputs))))
        expect(thawed).toEqual(inputs)
        expect(priceRental(thawed)).toEqual(priceRental(inputs))
      }),
      runs('frozen inputs survive'),
    )
  })

  it('keep nothing but what a price depends on', () => {
    const [inputs] = fc.sample(priceInputs, 1)
    if (inputs === undefined) throw new Error('No sample')
    const row = { ...inputs.rate, archivedAt: null, tenantId: 'fjord-cars' }
    expect(freezeInputs({ ...inputs, rate: row })).toEqual(freezeInputs(inputs))
  })

  it('of another engine are refused', () => {
    const [inputs] = fc.sample(priceInputs, 1)
    if (inputs === undefined) throw new Error('No sample')
    const frozen = JSON.parse(JSON.stringify({ ...freezeInputs(inputs), engine: 2 }))
    expect(() => thawInputs(frozen)).toThrow('Inputs of engine 2; this is engine 1')
  })
})
