import { z } from 'zod'

const yearMin = 2000
const yearMax = 2100
/** An existing calendar date, such as 2027-06-01. */
export const calendarDate = z.iso.date()
const example = '2027-06-01T10:00:00Z'

const dateTimeParts =
  /^(\d{4}-\d{2}-\d{2})t(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:?\d{2})$/i
/** Matches a date-time whose `+` was decoded as a space, as in the query of a URL. */
const spaceForPlus = /^\d{4}-\d{2}-\d{2}t[\d:.]+ \d{2}:?\d{2}$/i
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/
const offsetFromUtc = /^(z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/i

/**
 * An RFC 3339 date-time with an offset, in the years 2000 to 2100, parsed into a Date. Seconds may be
 * left out, as Java does.
 */
export const dateTime = z
  .string()
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const instant = parseDateTime(text)
    if (instant instanceof Date) return instant
    context.addIssue({ code: 'custom', message: instant })
    return z.NEVER
  })

/** Returns the instant, or the error message for an invalid text. */
function parseDateTime(text: string): Date | string {
  const parts = dateTimeParts.exec(text)
  if (parts === null) {
    if (spaceForPlus.test(text))
      return 'has a space where its offset begins: in a URL, write + as %2B'
    return `must be a date-time with an offset, such as ${example}`
  }
  const [, date = '', time = '', offset = ''] = parts
  if (!calendarDate.safeParse(date).success)
    return `must be an existing date: ${date} does not exist`
  if (!timeOfDay.test(time)) return 'must have a time from 00:00:00 to 23:59:59'
  if (!offsetFromUtc.test(offset)) return 'must have an offset such as Z or +02:00'
  const colonOffset = offset.toUpperCase().replace(/(\d{2}):?(\d{2})/, '$1:$2')
  const instant = new Date(`${date}T${time}${colonOffset}`)
  return yearProblem(instant) ?? instant
}

/** Returns an error message for an instant outside the years 2000 to 2100, otherwise undefined. */
export function yearProblem(instant: Date): string | undefined {
  const year = instant.getUTCFullYear()
  if (year >= yearMin && year <= yearMax) return undefined
  return `must lie in the years ${yearMin} to ${yearMax}, UTC`
}

/** Returns a refinement that requires `to > from`. It runs only if both could be parsed. */
export function laterThan<From extends string, To extends string>(from: From, to: To) {
  type Range = Readonly<Record<From | To, Date>>
  const refine = (range: Range, context: z.RefinementCtx<unknown>) => {
    if (range[to] > range[from]) return
    context.addIssue({ code: 'custom', path: [to], message: `must be later than ${from}` })
  }
  const when = ({ value }: { readonly value: unknown }) =>
    [from, to].every((name) => Object(value)[name] instanceof Date)
  return [refine, { when }] as const
}
