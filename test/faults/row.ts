import { expect, it } from 'vitest'
import { brokenInvariants } from './invariants.ts'
import type { Recorder } from './recorder.ts'
import type { World } from './world.ts'

/** The measurements of one row of the fault table, stored with its test for the report. */
export interface RowFigures {
  readonly id: string
  readonly fault: string
  runs: number
  unknown: number
  violations: number
  longestMs: number
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: RowFigures
  }
}

/** The number of runs of each row; ten in `npm run test:full`. */
export const faultRuns = Number(process.env['FAULT_RUNS'] ?? 1)

/**
 * Defines the test of one fault. `fault` is a clause that completes the title. `run` injects the fault and checks its effects; afterwards all requests
 * are settled, and history and database are checked. `run` may return another recorder to check.
 */
export function faultRow(
  id: string,
  fault: string,
  world: World,
  run: (recorder: Recorder, seed: number, useInstead: (other: Recorder) => void) => Promise<void>,
): void {
  it(`keeps all guarantees when ${fault} (${id})`, async ({ task }) => {
    const figures: RowFigures = { id, fault, runs: 0, unknown: 0, violations: 0, longestMs: 0 }
    task.meta.fault = figures
    for (let seed = 0; seed < faultRuns; seed++) {
      const recorder = world.recorder()
      let used = recorder
      await run(recorder, seed, (other) => {
        used = other
      })
      const violations = [...(await used.finish()), ...(await brokenInvariants(world.database))]
      const { unknown, longestMs } = used.figures()
      figures.runs++
      figures.unknown += unknown
      figures.violations += violations.length
      figures.longestMs = Math.max(figures.longestMs, longestMs)
      expect(violations, `run ${seed}`).toEqual([])
    }
  })
}
