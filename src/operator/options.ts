import { InvalidArgumentError } from '@commander-js/extra-typings'
import { readDate, writeDate } from '../domain/period.ts'
import { dayMinutes, dayMs, minuteMs } from '../domain/units.ts'
import { instantMs } from '../domain/zone.ts'
import { dateTime } from '../input/dateTime.ts'

/** The values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/**
 * One limit more, from `NAME=COUNT`; `NAME=default` is null.
 * @throws InvalidArgumentError for anything else
 */
export function collectLimit(
  entry: string,
  before: Readonly<Record<string, number | null>> = {},
): Readonly<Record<string, number | null>> {
  const match = /^(\w+)=(\d+|default)$/.exec(entry)
  if (match === null) throw new InvalidArgumentError('Use NAME=COUNT, such as reads=600.')
  const [, name = '', count = ''] = match
  return { ...before, [name]: count === 'default' ? null : Number(count) }
}

const localForm = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d):(\d\d))?$/

/** When something begins: a time, or the beginning of a date, on the clock of a tenant. */
export const beginning = (typed: string) => moment(typed, 0)

/** When something ends: a time, or the end of a date. */
export const ending = (typed: string) => moment(typed, 1)

/**
 * `2027-03-01`, `2027-03-01 08:00`, or an instant with its offset.
 * @throws InvalidArgumentError for anything else
 */
function moment(typed: string, dateDays: number): (timeZone: string) => Date {
  const instant = dateTime.safeParse(typed)
  if (instant.success) return () => instant.data
  const [, date = '', hour, minute] = localForm.exec(typed) ?? []
  const day = readDate(date)
  const timeOfDay = hour === undefined ? 0 : Number(hour) * 60 + Number(minute)
  if (!Number.isFinite(day) || writeDate(day) !== date || timeOfDay >= dayMinutes) {
    throw new InvalidArgumentError('Use a time such as 2027-03-01 or "2027-03-01 08:00".')
  }
  const wallMs = (day + (hour === undefined ? dateDays : 0)) * dayMs + timeOfDay * minuteMs
  return (timeZone) => new Date(instantMs(wallMs, timeZone))
}

/** What a script's unset variable leaves must not mean what the option's absence means. */
export function notEmpty(given: string): string {
  if (given.trim() === '') throw new InvalidArgumentError('It is empty.')
  return given
}

/** Who is on record for what is done. */
export const asOption = [
  '--as <name>',
  'who it is recorded for (default: RENTAL_OPERATOR, or the account)',
  notEmpty,
] as const

export const keyIdHelp = 'ID of the key, or its first 6 or more characters'

/** How many of what, such as `1 group`. */
export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
