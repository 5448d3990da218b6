import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { describeIssue } from '../input/issues.ts'
import { crossProblems } from './crossChecks.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, writePath } from './problems.ts'

/**
 * The text of a fleet file's bytes.
 * @throws FleetFileError naming the place of the first byte that is not UTF-8
 */
export function decodeFleetFile(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const again = Buffer.from(bytes.toString('utf8'))
  const differs = bytes.findIndex((byte, index) => byte !== again[index])
  // A file cut off inside U+FFFD begins like its replacement, which is U+FFFD.
  const offset = differs < 0 ? again.length - 3 : differs
  const lines = bytes.subarray(0, offset).toString('utf8').split('\n')
  const place = `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
  const message = `is not UTF-8 at ${place} (byte ${offset}). Save the file as UTF-8`
  throw new FleetFileError([{ path: writePath([]), message }])
}

/**
 * Reads the text of a fleet file and fills in what it leaves out.
 * @throws FleetFileError naming every problem, or that the text is no JSON
 */
export function parseFleetFile(json: string): FleetFile {
  const file = parseJson(json)
  const result = fleetFile.safeParse(file, { error: describeIssue })
  const problems = [
    ...repeatedFields(json),
    ...(result.error?.issues.flatMap(problemsOf) ?? []),
    ...crossProblems(file),
  ]
  if (!result.success || problems.length > 0) throw new FleetFileError(problems)
  return result.data
}

function parseJson(json: string): unknown {
  try {
    // Editors on Windows like to begin a file with a byte order mark.
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FleetFileError([{ path: writePath([]), message: `is not valid JSON: ${reason}` }])
  }
}

/** What matters of valid JSON here: lines, braces, the ends of strings, and what is escaped in them. */
const marks = /[\n{}"]|\\./g

/** Of two fields of the same name JSON.parse keeps the last, and would drop a list in silence. */
function repeatedFields(json: string): FleetProblem[] {
  const colon = /\s*:/y
  const open: Set<string>[] = []
  const repeated = new Map<string, number>()
  let begin: number | undefined
  let line = 1
  for (const { 0: mark, index } of json.matchAll(marks)) {
    if (begin === undefined) {
      if (mark === '\n') line += 1
      else if (mark === '{') open.push(new Set())
      else if (mark === '}') open.pop()
      else begin = index
    } else if (mark === '"') {
      colon.lastIndex = index + 1
      if (colon.test(json)) {
        const field: string = JSON.parse(json.slice(begin, index + 1))
        if (open.at(-1)?.has(field) && !repeated.has(field)) repeated.set(field, line)
        open.at(-1)?.add(field)
      }
      begin = undefined
    }
  }
  return [...repeated].map(([field, at]) => ({
    path: writePath([]),
    message: `has "${field}" twice in one object, again in line ${at}`,
  }))
}

function problemsOf(issue: z.core.$ZodIssue): FleetProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: writePath(issue.path), message: issue.message }]
  }
  return issue.keys.map((key) => ({
    path: writePath([...issue.path, key]),
    message: 'is not a field of a fleet file',
  }))
}
