import { z } from 'zod'
import { uuid } from '../input/fields.ts'

export const idParams = z.object({ id: uuid })

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})t([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const yearMin = 2000
const yearMax = 2100

/** RFC 3339 with an offset, a real date, in 2000-2100 by UTC; parsed to a Date (12 and 13). */
export const dateTime = z
  .string()
  .meta({ format: 'date-time', examples: ['2027-06-01T10:00:00Z'] })
  .transform((value, context) => {
    const match = rfc3339.exec(value)
    const year = Number(match?.[1])
    if (match === null || !isCalendarDate(year, Number(match[2]), Number(match[3]))) {
      context.addIssue({
        code: 'custom',
        message: 'must be a date-time with an offset, such as 2027-06-01T10:00:00Z',
      })
      return z.NEVER
    }
    const at = new Date(value.toUpperCase())
    if (at.getUTCFullYear() < yearMin || at.getUTCFullYear() > yearMax) {
      const message = `must lie between ${yearMin} and ${yearMax} (UTC)`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    return at
  })

function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** How values look in answers. */
export const uuidOut = z.string().meta({ format: 'uuid' })
export const dateTimeOut = z
  .string()
  .meta({ format: 'date-time', description: 'UTC, with milliseconds and `Z`.' })
export const dateOut = z.string().meta({ format: 'date' })
export const decimalOut = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'A decimal number with exactly the decimals of its currency.' })
export const currencyOut = z.string().meta({ description: 'ISO 4217.' })

/** Wraps a payload the way every successful answer is wrapped (spec.md "Resources"). */
export function dataOf<T extends z.ZodType>(payload: T) {
  return z.object({ data: payload })
}

/** A zod schema as the JSON Schema that Fastify compiles into a serializer. */
export function answerSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'output', target: 'draft-7', override: slim })
}

/** The serializer only needs shapes; bounds and patterns are the documentation's business. */
function slim({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern
  delete jsonSchema.minimum
  delete jsonSchema.maximum
}

/** Holds a range to `to > from` (decision 13); the end is named in the refusal. */
export function refineRange(
  from: Date,
  to: Date,
  endPath: string,
  context: z.RefinementCtx<unknown>,
): void {
  if (to > from) return
  const message = 'must be later than the beginning of the range'
  context.addIssue({ code: 'custom', path: [endPath], message })
}
