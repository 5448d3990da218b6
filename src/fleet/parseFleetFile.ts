import { problemsOf } from '../input/issues.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, fileError, formatPath } from './fleetFileError.ts'

/**
 * Parses a fleet file and fills in defaults.
 * @throws FleetFileError that lists every problem, or for invalid JSON
 */
export function parseFleetFile(text: string): FleetFile {
  const file = parseJson(text)
  const result = fleetFile.safeParse(file)
  if (result.success) return result.data
  const problems = problemsOf(fleetFile, file)
  throw new FleetFileError(
    problems.map(({ path, message }) => ({ path: formatPath(path), message })),
  )
}

function parseJson(text: string): unknown {
  try {
    // Some Windows editors write a byte order mark, which JSON.parse rejects.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw fileError(`is not valid JSON: ${(error as SyntaxError).message}`)
  }
}
