import process from 'node:process'

/** `FC_SEED=… npx vitest run` repeats a run. */
const seed = Number(process.env['FC_SEED'] ?? Math.trunc(Math.random() * 0x7fffffff))

/** A wrong change to the code is noticed within a few runs, or by a test that is no property. */
const runsMax = Number(process.env['PROPERTY_RUNS_MAX'] ?? Number.POSITIVE_INFINITY)

/** The options of a property; prints the seed, so that a red run can be repeated. */
export function runs(property: string, wanted = 1000): { seed: number; numRuns: number } {
  const numRuns = Math.min(wanted, runsMax)
  process.stdout.write(`${property}: ${numRuns} runs, FC_SEED=${seed}\n`)
  return { seed, numRuns }
}
