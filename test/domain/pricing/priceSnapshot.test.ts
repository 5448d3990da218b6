import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainPrice } from '../../../src/domain/pricing/explain.ts'
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
  it('restores a snapshot from JSON with the used rates and the same price', () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const price = priceRental(inputs)
        const snapshot = takeSnapshot(inputs, price.usedRates)
        const restored = restoreSnapshot(JSON.parse(JSON.stringify(snapshot)))
        const always = inputs.seasons === 'pickup' ? { validFrom: null, validTo: null } : {}
        const rates = price.usedRates.map((rate) => ({ ...rate, ...always }))
        expect(restored).toEqual({ ...inputs, rates })
        expect(priceRental(restored)).toEqual({ ...price, usedRates: rates })
        expect(explainPrice(restored)).toEqual(explainPrice(inputs))
        if (inputs.seasons === 'pickup') expect(rates).toHaveLength(1)
      }),
      runs('snapshots restore to the same price'),
    )
  })

  it('stores only the rate fields that a price depends on', () => {
    const inputs = sample()
    const row = { ...inputs.rates[0], archivedAt: null, tenantId: 'fjord-cars' } as Rate
    const snapshot = takeSnapshot(inputs, [row])
    const stored = Object.keys(snapshot.rates[0] ?? {})
    expect(stored.sort()).toEqual(Object.keys(inputs.rates[0] ?? {}).sort())
  })

  it('rejects a snapshot of a later pricing version', () => {
    const inputs = sample()
    const snapshot = JSON.parse(JSON.stringify({ ...takeSnapshot(inputs, []), engine: 3 }))
    expect(() => restoreSnapshot(snapshot)).toThrow(
      'priced with pricing version 3; this release supports version 2',
    )
  })
})
