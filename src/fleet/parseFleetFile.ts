import { problemsOf } from '../input/issues.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, fileError, formatPath } from './fleetFileError.ts'

/**
 * Parses a fleet file and fills in defaults.
 * @throws FleetFileError that lists every problem, or for invalid JSON
 */
export function parseFleetFile(text: string): FleetFile {
  // Some Windows editors write a byte order mark, which JSON.parse rejects.
  const json = text.replace(/^\uFEFF/, '')
  const file = parseJson(json)
  const repeated = [...repeatedFields(json)]
  const result = fleetFile.safeParse(file)
  if (result.success && repeated.length === 0) return result.data
  const invalid = problemsOf(fleetFile, file).map(({ path, message }) => {
    return { path: formatPath(path), message }
  })
  throw new FleetFileError(repeated.concat(invalid))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw fileError(`is not valid JSON: ${(error as SyntaxError).message}`)
  }
}

/** Matches line breaks, braces, the ends of strings, and escapes within strings. */
const marks = /[\n{}]|"(\s*:)?|\\./g

/** Yields repeated field names. JSON.parse keeps only the last one, and would silently drop a list. */
function* repeatedFields(json: string): Generator<FleetProblem> {
  const open: Set<string>[] = []
  let begin: number | undefined
  let line = 1
  for (const { 0: mark, 1: colon, index } of json.matchAll(marks)) {
    if (begin === undefined) {
      if (mark === '\n') line += 1
      else if (mark === '{') open.push(new Set())
      else if (mark === '}') open.pop()
      else begin = index
    } else if (mark.startsWith('"')) {
      const field = colon === undefined ? undefined : JSON.parse(json.slice(begin, index + 1))
      const message = `has "${field}" twice in one object, the second time in line ${line}`
      if (open.at(-1)?.has(field)) yield { path: formatPath([]), message }
      if (colon !== undefined) open.at(-1)?.add(field)
      begin = undefined
    }
  }
}
