import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceRental } from '../../../src/domain/pricing/priceRental.ts'
import { restoreSnapshot, takeSnapshot } from '../../../src/domain/pricing/priceSnapshot.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'
import { priceInputs } from './arbitraries.ts'
import { runs } from './runs.ts'

const sample = () => {
  const [inputs] = fc.sample(priceInputs, 1)
  if (inputs === undefined) throw new Error('No sample')
  return inputs
}

describe('a price snapshot', () => {
  it('restores from JSON to the same price, with only the rates it uses', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const price = priceRental(inputs)
        const frozen = takeSnapshot(inputs, price.usedRates)
        const thawed = restoreSnapshot(JSON.parse(JSON.stringify(frozen)))
        expect(thawed).toEqual({ ...inputs, rates: price.usedRates })
        expect(priceRental(thawed)).toEqual(price)
      }),
      runs('snapshots restore to the same price'),
    )
  })

  it('stores only the rate fields that a price depends on', () => {
    const inputs = sample()
    const row = { ...inputs.rates[0], archivedAt: null, tenantId: 'fjord-cars' } as Rate
    const frozen = takeSnapshot(inputs, [row])
    expect(Object.keys(frozen.rates[0] ?? {})).toHaveLength(9)
  })

  it('rejects a snapshot of a later pricing version', () => {
    const inputs = sample()
    const frozen = JSON.parse(JSON.stringify({ ...takeSnapshot(inputs, []), engine: 3 }))
    expect(() => restoreSnapshot(frozen)).toThrow(
      'priced with pricing version 3; this release supports version 1',
    )
  })
})
