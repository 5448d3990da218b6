import process from 'node:process'

/** The seed of all properties. `FC_SEED=… npx vitest run` repeats a run. */
const seed = Number(process.env['FC_SEED'] ?? Math.trunc(Math.random() * 0x7fffffff))

/** The limit for quick test runs, in which a few runs detect most errors. */
const runsMax = Number(process.env['PROPERTY_RUNS_MAX'] ?? Number.POSITIVE_INFINITY)

/** Returns the options of a property, and prints the seed, so that a failed run can be repeated. */
export function runs(property: string, wanted = 1000): { seed: number; numRuns: number } {
  const numRuns = Math.min(wanted, runsMax)
  process.stdout.write(`${property}: ${numRuns} runs, FC_SEED=${seed}\n`)
  return { seed, numRuns }
}
