import { performance } from 'node:perf_hooks'

/** Enough rounds for a median that one pause of the machine does not move. */
const rounds = 9
const roundMs = 300
const warmUpMs = 500

/** How often `run` can be called in a second: the median round, on one thread. */
export function operationsPerSecond(run: (index: number) => unknown): number {
  measure(run, warmUpMs)
  const results = Array.from({ length: rounds }, () => measure(run, roundMs))
  results.sort((a, b) => a - b)
  return results[Math.floor(rounds / 2)] ?? 0
}

/** Kept outside, so that the compiler cannot drop a result nobody reads. */
let lastResult: unknown

function measure(run: (index: number) => unknown, forMs: number): number {
  const startMs = performance.now()
  let operations = 0
  let elapsedMs = 0
  while (elapsedMs < forMs) {
    for (let index = 0; index < 100; index += 1) lastResult = run(operations + index)
    operations += 100
    elapsedMs = performance.now() - startMs
  }
  if (lastResult === undefined) throw new Error('A bench must return what it made')
  return (operations * 1000) / elapsedMs
}
