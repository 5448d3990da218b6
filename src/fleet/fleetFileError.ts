import { z } from 'zod'

/** One thing wrong with a fleet file; `path` is written like `assetGroups[0].rates[2].validTo`. */
export interface FleetProblem {
  readonly path: string
  readonly message: string
}

/** A file with more problems than this has one of them in every row. */
const shownMax = 1_000

/** A fleet file that was refused whole: every problem at once, and nothing was changed. */
export class FleetFileError extends Error {
  override readonly name = 'FleetFileError'
  readonly problems: readonly FleetProblem[]

  constructor(problems: readonly FleetProblem[]) {
    const shown = problems.slice(0, shownMax)
    const lines = shown.map(({ path, message }) => `\n  ${path}: ${message}`)
    const others = problems.length - shown.length
    const more = others > 0 ? `\n  and ${others.toLocaleString('en-US')} more` : ''
    super(`The fleet file is invalid. Nothing was changed.${lines.join('')}${more}`)
    this.problems = problems
  }
}

/** Writes a path the way the file's author would look it up; an empty one is the file itself. */
export const writePath = (segments: readonly PropertyKey[]) =>
  z.core.toDotPath(segments) || 'the file'
