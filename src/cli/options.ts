import { userInfo } from 'node:os'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { z } from 'zod'
import { idPrefixMin } from '../domain/ids.ts'
import { instantMs } from '../domain/timeZone.ts'
import { dayMs, daySeconds, hourSeconds, minuteSeconds } from '../domain/units.ts'
import { calendarDate, dateTime } from '../input/dateTime.ts'
import { shortText } from '../input/fields.ts'
import { checkText, OperatorError } from '../services/operatorError.ts'

/** Returns a parser of option values. `advice` is printed after commander's "is invalid". */
export const optionParser =
  <T>(schema: z.ZodType<T>, advice?: string) =>
  (typed: string): T => {
    const { success, data, error } = schema.safeParse(typed)
    if (success) return data
    throw new InvalidArgumentError(advice ?? `It ${error.issues[0]?.message}.`)
  }

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/**
 * Adds a limit, parsed from `NAME=COUNT`, to the limits of a repeatable option. `NAME=default`
 * gives null.
 */
export function collectLimit(entry: string, before: Readonly<Record<string, number | null>> = {}) {
  const match = /^([^=]+)=(\d+|default)$/.exec(entry)
  if (match === null) throw new InvalidArgumentError('Use NAME=COUNT, such as reads=600.')
  const [, name = '', count = ''] = match
  return { ...before, [name]: count === 'default' ? null : Number(count) }
}

const localForm = /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d))?$/

/** Parses a start: a local time, or a date, which means its beginning. */
export const parseStart = (typed: string) => parseLocalTime(typed, 0)

/** Parses an end: a local time, or a date, which means its end. */
export const parseEnd = (typed: string) => parseLocalTime(typed, 1)

/**
 * Parses `2027-03-01`, `2027-03-01 08:00` or a time with an offset. Returns a function of the time
 * zone. `dateDays` is added to a date without a time.
 */
function parseLocalTime(typed: string, dateDays: number): (timeZone: string) => Date {
  const instant = dateTime.safeParse(typed)
  if (instant.success) return () => instant.data
  const [, date = '', time = '00:00'] = localForm.exec(typed) ?? []
  if (!calendarDate.safeParse(date).success) {
    throw new InvalidArgumentError('Use a time such as 2027-03-01 or "2027-03-01 08:00".')
  }
  const days = typed === date ? dateDays : 0
  const wallMs = Date.parse(`${date}T${time}Z`) + days * dayMs
  return (timeZone) => new Date(instantMs(wallMs, timeZone))
}

/**
 * Rejects an empty value. An unset shell variable produces an empty value, which must not be
 * treated as a missing option.
 */
export const notEmpty = optionParser(z.string().regex(/\S/, 'must not be empty'))

export const asOption = [
  '--as <name>',
  'your name, for the record (default: RENTAL_OPERATOR, else your account)',
  optionParser(shortText),
] as const

/**
 * Returns the operator's name for the record: `--as`, RENTAL_OPERATOR or the current account. The
 * Docker image sets RENTAL_OPERATOR to '', because all operators share one account there.
 * @throws OperatorError when the name is empty
 * @throws UsageError when the name is invalid
 */
export function operatorName(environment: NodeJS.ProcessEnv, as?: string): string {
  const given = as ?? environment['RENTAL_OPERATOR']
  if (given === undefined) {
    try {
      return userInfo().username
    } catch {
      // Containers may run as a user without a name.
      return environment['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`
    }
  }
  if (given.trim() !== '') return checkText('name in RENTAL_OPERATOR', shortText, given)
  throw new OperatorError(
    'Your name is required for the record. Give it with --as NAME, or set RENTAL_OPERATOR.',
  )
}

export const idHelp = (what: string) =>
  `ID of the ${what}, or at least its first ${idPrefixMin} characters`
export const bookingIdsHelp = `IDs of bookings, or at least their first ${idPrefixMin} characters`

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: minuteSeconds,
  h: hourSeconds,
  d: daySeconds,
}
const secondsMax = 366 * daySeconds

/** Parses a duration such as `90s`, `30m`, `12h`, `7d` or `0` into seconds, at most 366 days. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text === '0' ? '0s' : text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN)
  if (seconds >= 0 && seconds <= secondsMax) return seconds
  throw new InvalidArgumentError('Use a duration such as 30m, 12h or 7d, at most 366d.')
}
