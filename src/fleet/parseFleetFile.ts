import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { describeIssue } from '../input/issues.ts'
import { crossFieldErrors } from './crossFieldErrors.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, writePath } from './fleetFileError.ts'

/**
 * The text of a fleet file's bytes.
 * @throws FleetFileError naming the line of the first byte that is not UTF-8
 */
export function decodeFleetFile(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines = bytes.toString('latin1').split('\n')
  const first = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  throw wholeFile(`is not UTF-8 in line ${first + 1}. Save the file as UTF-8`)
}

const wholeFile = (message: string) => new FleetFileError([{ path: writePath([]), message }])

/**
 * Reads the text of a fleet file and fills in what it leaves out.
 * @throws FleetFileError naming every problem, or that the text is no JSON
 */
export function parseFleetFile(text: string): FleetFile {
  // Editors on Windows like to begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '')
  const file = parseJson(json)
  const result = fleetFile.safeParse(file, { error: describeIssue })
  const problems = [
    ...repeatedFields(json),
    ...(result.error?.issues.flatMap(problemsOf) ?? []),
    ...crossFieldErrors(file),
  ]
  if (!result.success || problems.length > 0) throw new FleetFileError(problems)
  return result.data
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    const { message } = error as SyntaxError
    // Node 20 tells only how many characters stand before it.
    const [, position] = /at position (\d+)$/.exec(message) ?? []
    const line = position && `, in line ${json.slice(0, Number(position)).split('\n').length}`
    throw wholeFile(`is not valid JSON: ${message}${line ?? ''}`)
  }
}

/** What matters of valid JSON here: lines, braces, the ends of strings, and what is escaped in them. */
const marks = /[\n{}]|"(\s*:)?|\\./g

/** Of two fields of the same name JSON.parse keeps the last, and would drop a list in silence. */
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
      const message = `has "${field}" twice in one object, again in line ${line}`
      if (open.at(-1)?.has(field)) yield { path: writePath([]), message }
      if (colon !== undefined) open.at(-1)?.add(field)
      begin = undefined
    }
  }
}

function problemsOf(issue: z.core.$ZodIssue): FleetProblem[] {
  const { path, message } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path: writePath(path), message }]
  const unknown = 'is not a field of a fleet file'
  return issue.keys.map((key) => ({ path: writePath([...path, key]), message: unknown }))
}
