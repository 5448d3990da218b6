import { expect, it } from 'vitest'
import { brokenInvariants } from './invariants.ts'
import type { Recorder } from './recorder.ts'
import type { World } from './world.ts'

/** What one row of the fault table measured; kept with its test for the report. */
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

/** `npm run test:full` runs every row ten times. */
export const faultRuns = Number(process.env['FAULT_RUNS'] ?? 1)

/**
 * One row of the fault matrix: `run` injects the fault and says what must hold during and after it;
 * then everything unsettled is settled, and history and database are checked. `run` says so
 * if it used another recorder than the one it was given.
 */
export function faultRow(
  id: string,
  fault: string,
  world: World,
  run: (recorder: Recorder, seed: number, useInstead: (other: Recorder) => void) => Promise<void>,
): void {
  it(`${id} ${fault}`, async ({ task }) => {
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
