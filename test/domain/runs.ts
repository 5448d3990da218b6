import process from 'node:process'

/** `FC_SEED=… npx vitest run` repeats a run. */
const seed = Number(process.env['FC_SEED'] ?? Math.trunc(Math.random() * 0x7fffffff))

/** The options of a property; prints the seed, so that a red run can be repeated. */
export function runs(property: string, numRuns = 1000): { seed: number; numRuns: number } {
  process.stdout.write(`${property}: ${numRuns} runs, FC_SEED=${seed}\n`)
  return { seed, numRuns }
}
