import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { describeIssue } from '../input/issues.ts'
import { crossFieldErrors } from './crossFieldErrors.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, formatPath } from './fleetFileError.ts'

const asCsv = 'File, Save As, "CSV UTF-8 (Comma delimited)"'
const workbook = `is an Excel workbook. Save the sheet as CSV and import that. In Excel: ${asCsv}`
const utf16 = `is UTF-16. Save it as UTF-8; in Excel: ${asCsv}, not "Unicode Text"`

/** The first bytes, in hexadecimal, of .xlsx, .xls and UTF-16 files. */
const unsupportedFormats = [
  ['504b0304', workbook],
  ['d0cf11e0', workbook],
  ['fffe', utf16],
  ['feff', utf16],
] as const

/**
 * Decodes the bytes of a fleet file.
 * @throws FleetFileError for another file format, or with the line of the first invalid UTF-8 byte
 */
export function decodeFleetFile(bytes: Buffer): string {
  const [, unsupported] =
    unsupportedFormats.find(([start]) => bytes.toString('hex', 0, 4).startsWith(start)) ?? []
  if (unsupported !== undefined) throw fileError(unsupported)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines = bytes.toString('latin1').split('\n')
  const first = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  throw fileError(`is not UTF-8 in line ${first + 1}. Save the file as UTF-8; in Excel: ${asCsv}`)
}

const fileError = (message: string) => new FleetFileError([{ path: formatPath([]), message }])

/**
 * Parses a fleet file and fills in defaults.
 * @throws FleetFileError that lists every problem, or for invalid JSON
 */
export function parseFleetFile(text: string): FleetFile {
  // Some Windows editors write a byte order mark, which JSON.parse rejects.
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
    // Node 20 reports only the position, not the line.
    const [, position] = /at position (\d+)$/.exec(message) ?? []
    const line = position && `, in line ${json.slice(0, Number(position)).split('\n').length}`
    throw fileError(`is not valid JSON: ${message}${line ?? ''}`)
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

function problemsOf(issue: z.core.$ZodIssue): FleetProblem[] {
  const { path, message } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path: formatPath(path), message }]
  const unknown = 'is not a field of a fleet file'
  return issue.keys.map((key) => ({ path: formatPath([...path, key]), message: unknown }))
}
