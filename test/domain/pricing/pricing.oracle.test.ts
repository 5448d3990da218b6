import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/domain/errors.ts'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
import { anyInputs } from './arbitraries.ts'
import { oraclePrice } from './priceOracle.ts'
import { runs } from './runs.ts'

/** Returns the engine's price in the form of the oracle's. */
function enginePrice(inputs: PriceInputs) {
  try {
    const { days, hours, rate, subtotal, tax, total } = priceRental(inputs).breakdown
    return { days, hours, rateId: rate.id, subtotal, tax: tax.amount, total }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NO_RATE_AVAILABLE') return undefined
    throw error
  }
}

describe('priceRental', () => {
  it('agrees with the price oracle on random rentals', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        expect(enginePrice(inputs)).toEqual(oraclePrice(inputs))
      }),
      runs('engine and oracle agree', 5000),
    )
  })
})
