import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceInputs } from './arbitraries.ts'
import { mutants } from './mutants.ts'
import { oraclePrice } from './priceOracle.ts'
import { runs } from './runs.ts'

/** The rarest mutant differs in one of 200 rentals. */
const mutantRentals = 4000
const rentalsAtOnce = 200

describe('the price oracle', () => {
  it.each(Object.entries(mutants))('detects a pricing engine that %s', (name, mutant) => {
    const { seed } = runs(`mutant "${name}"`, mutantRentals)
    const seen = { right: 0, wrong: 0 }
    // A mutant that is wrong for every rental would prove nothing.
    while ((seen.wrong === 0 || seen.right === 0) && seen.right + seen.wrong < mutantRentals) {
      const drawn = { numRuns: rentalsAtOnce, seed: seed + seen.right + seen.wrong }
      for (const inputs of fc.sample(priceInputs, drawn)) {
        seen[mutant(inputs) === oraclePrice(inputs)?.total ? 'right' : 'wrong'] += 1
      }
    }
    process.stdout.write(`mutant "${name}": ${JSON.stringify(seen)}\n`)
    expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(0)
  })
})
