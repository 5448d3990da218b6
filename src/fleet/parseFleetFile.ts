import { problemsOf } from '../input/issues.ts'
import { repeatedFields } from '../input/repeatedFields.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, fileError, formatPath, locateProblem } from './fleetFileError.ts'

/**
 * Parses a fleet file and fills in defaults.
 * @throws FleetFileError that lists every problem, or for invalid JSON
 */
export function parseFleetFile(text: string): FleetFile {
  // Some Windows editors write a byte order mark, which JSON.parse rejects.
  const json = text.replace(/^\uFEFF/, '')
  const file = parseJson(json)
  const repeated = Array.from(repeatedFields(json), ({ name, line }) => ({
    path: formatPath([]),
    message: `has "${name}" twice in one object, the second time in line ${line}`,
  }))
  const result = fleetFile.safeParse(file)
  if (result.success && repeated.length === 0) return result.data
  const invalid = problemsOf(fleetFile, file).map((each) => locateProblem(each, formatPath))
  throw new FleetFileError(repeated.concat(invalid))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw fileError(`is not valid JSON: ${(error as SyntaxError).message}`)
  }
}
