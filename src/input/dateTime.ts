import { z } from 'zod'

const yearMin = 2000
const yearMax = 2100
/** A real day, such as 2027-06-01. */
export const calendarDate = z.iso.date()
const example = '2027-06-01T10:00:00Z'

const dateTimeParts = /^(\d{4}-\d{2}-\d{2})t(\d{2}:\d{2}:\d{2})(\.\d+)?(z|[+-]\d{2}:?\d{2})$/i
/** In the query of a URL `+` stands for a space. */
const plusReadAsSpace = /^\d{4}-\d{2}-\d{2}t[\d:.]+ \d{2}:?\d{2}$/i
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const offsetFromUtc = /^(z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/i

/** RFC 3339 with an offset, a real calendar date, years 2000-2100; parsed to a Date (decision 12). */
export const dateTime = z
  .string()
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const instant = readDateTime(text)
    if (instant instanceof Date) return instant
    context.addIssue({ code: 'custom', message: instant })
    return z.NEVER
  })

/** The instant that a text names, or what is wrong with the text. */
function readDateTime(text: string): Date | string {
  const parts = dateTimeParts.exec(text)
  if (parts === null) {
    if (plusReadAsSpace.test(text))
      return 'has a space where its offset begins: in a URL, write + as %2B'
    return `must be a date-time with seconds and an offset, such as ${example}`
  }
  const [, date = '', time = '', fraction = '', offset = ''] = parts
  if (!calendarDate.safeParse(date).success) return `must be a real day: ${date} does not exist`
  if (!timeOfDay.test(time)) return 'must have a time from 00:00:00 to 23:59:59'
  if (!offsetFromUtc.test(offset)) return 'must have an offset such as Z or +02:00'
  const colonOffset = offset.toUpperCase().replace(/(\d{2}):?(\d{2})/, '$1:$2')
  const instant = new Date(`${date}T${time}${fraction}${colonOffset}`)
  return yearProblem(instant) ?? instant
}

/** What is wrong with an instant outside the years 2000-2100 (decisions 12 and 13). */
export function yearProblem(instant: Date): string | undefined {
  const year = instant.getUTCFullYear()
  if (year >= yearMin && year <= yearMax) return undefined
  return `must lie in the years ${yearMin} to ${yearMax}, UTC`
}
