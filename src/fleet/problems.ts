/** One thing wrong with a fleet file; `path` is written like `assetGroups[0].rates[2].validTo`. */
export interface FleetProblem {
  readonly path: string
  readonly message: string
}

/** The path of the file itself. */
const rootPath = '$'

/** A fleet file that was refused whole: every problem at once, and nothing was changed. */
export class FleetFileError extends Error {
  override readonly name = 'FleetFileError'
  readonly problems: readonly FleetProblem[]

  constructor(problems: readonly FleetProblem[]) {
    const lines = problems.map(({ path, message }) => `\n  ${path}: ${message}`)
    super(`The fleet file is invalid. Nothing was changed.${lines.join('')}`)
    this.problems = problems
  }
}

/** Writes a path the way the file's author would look it up. */
export function writePath(segments: readonly PropertyKey[]): string {
  if (segments.length === 0) return rootPath
  return segments
    .map((segment, index) => {
      if (typeof segment === 'number') return `[${segment}]`
      return index === 0 ? String(segment) : `.${String(segment)}`
    })
    .join('')
}
