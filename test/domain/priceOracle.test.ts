import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceInputs } from './arbitraries.ts'
import { mutants } from './mutants.ts'
import { oraclePrice } from './priceOracle.ts'
import { runs } from './runs.ts'

const mutantRentals = 2000

describe('the oracle', () => {
  it.each(Object.entries(mutants))(
    'catches an engine with %s',
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
