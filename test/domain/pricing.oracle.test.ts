import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../src/domain/errors.ts'
import { type PriceInputs, priceRental } from '../../src/domain/pricing.ts'
import { anyInputs, priceInputs } from './arbitraries.ts'
import { mutants } from './mutants.ts'
import { oraclePrice } from './priceOracle.ts'
import { runs } from './runs.ts'

const rentals = 8000
const mutantRentals = 2000

/** What the engine says, in the oracle's terms. */
function enginePrice(inputs: PriceInputs) {
  try {
    const { days, hours, rate, subtotal, tax, total } = priceRental(inputs).breakdown
    return { days, hours, rateId: rate.id, subtotal, tax: tax.amount, total }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NO_RATE_AVAILABLE') return undefined
    throw error
  }
}

describe('the engine and the oracle', () => {
  it(`agree on ${rentals} random rentals`, { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        expect(enginePrice(inputs)).toEqual(oraclePrice(inputs))
      }),
      runs('engine and oracle agree', rentals),
    )
  })

  it.each(Object.entries(mutants))(
    'catch an engine with %s',
    { timeout: 60_000 },
    (name, mutant) => {
      const sample = fc.sample(priceInputs, runs(`mutant "${name}"`, mutantRentals))
      const caught = sample.flatMap((inputs, index) =>
        mutant(inputs) === oraclePrice(inputs)?.total ? [] : [index + 1],
      )
      process.stdout.write(
        `mutant "${name}": caught at rental ${caught[0]}, wrong ${caught.length} times\n`,
      )
      expect(caught).not.toHaveLength(0)
      // A mutant that were wrong everywhere would prove nothing about the comparison.
      expect(caught.length).toBeLessThan(mutantRentals)
    },
  )
})
