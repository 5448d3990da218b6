import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceRental } from '../../src/domain/pricing.ts'
import { priceInputs } from './arbitraries.ts'
import { mutants } from './mutants.ts'
import { oraclePrice } from './priceOracle.ts'
import { runs } from './runs.ts'

const rentals = 20_000
const mutantRentals = 2000

describe('the engine and the oracle', () => {
  it(`agree on ${rentals} random rentals`, { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(priceInputs, (inputs) => {
        const { days, hours, subtotal, tax, total } = priceRental(inputs).breakdown
        expect({ days, hours, subtotal, tax: tax.amount, total }).toEqual(oraclePrice(inputs))
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
        mutant(inputs) === oraclePrice(inputs).total ? [] : [index + 1],
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
