import { z } from 'zod'

/** A problem of a fleet file. `path` has a form such as `assetGroups[0].rates[2].validTo`. */
export interface FleetProblem {
  readonly path: string
  readonly message: string
}

/** Limits the length of the message: a file can have the same problem in every row. */
const shownMax = 1_000

/** A rejected fleet file, with all its problems. Nothing was changed. */
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

/** Formats a path in the fleet file. An empty path means the whole file. */
export const formatPath = (segments: readonly PropertyKey[]) =>
  z.core.toDotPath(segments) || 'the file'

/** A problem of a field, by its path. `{first}` in the message stands for the place `first`. */
export interface FieldProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly first?: readonly PropertyKey[] | undefined
}

/** Returns the place of a field as the owner of the file sees it. */
export type Locate = (path: readonly PropertyKey[]) => string

export const locateProblem = (
  { path, message, first = [] }: FieldProblem,
  locate: Locate,
): FleetProblem => ({
  path: locate(path),
  message: message.replace('{first}', () => locate(first)),
})

export const fileError = (message: string) =>
  new FleetFileError([{ path: formatPath([]), message }])
