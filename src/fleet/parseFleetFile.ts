import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { describeIssue } from '../input/issues.ts'
import { crossFieldErrors } from './crossFieldErrors.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, writePath } from './fleetFileError.ts'

const asCsv = 'File, Save As, "CSV UTF-8 (Comma delimited)"'
const workbook = `is an Excel workbook. Save the sheet as CSV and import that. In Excel: ${asCsv}`
const utf16 = `is UTF-16. Save it as UTF-8; in Excel: ${asCsv}, not "Unicode Text"`

/** How files of other programs begin, in hexadecimal: .xlsx, .xls, and UTF-16. */
const otherForms = [
  ['504b0304', workbook],
  ['d0cf11e0', workbook],
  ['fffe', utf16],
  ['feff', utf16],
] as const

/**
 * The text of a fleet file's bytes.
 * @throws FleetFileError naming the line of the first byte that is not UTF-8
 */
export function decodeFleetFile(bytes: Buffer): string {
  const [, otherForm] =
    otherForms.find(([start]) => bytes.toString('hex', 0, 4).startsWith(start)) ?? []
  if (otherForm !== undefined) throw wholeFile(otherForm)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines = bytes.toString('latin1').split('\n')
  const first = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  throw wholeFile(`is not UTF-8 in line ${first + 1}. Save the file as UTF-8; in Excel: ${asCsv}`)
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
