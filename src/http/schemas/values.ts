import { z } from 'zod'
import { dateTimeOf } from '../../input/dateTime.ts'
import { uuid } from '../../input/fields.ts'

/** The id of a path: what it is of, and one to try. */
export const idParams = (description: string, example: string) =>
  z.object({ id: uuid.meta({ description, examples: [example] }) })

/** As in `examples/fleet.json`, so that the examples work on a demo. */
export const demoGroupId = '5b8f0a52-7c55-4a0e-9d0b-5f6f0f6f7a11'

/** The same in all examples; databases choose others. */
export const exampleRateId = '0f1c8a3e-2f6b-4b57-8f0e-6b8f3f1f2a22'
export const exampleQuoteId = '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33'

/** A date-time that callers send: what it is, and an example that never lies in the past. */
export const dateTimeIn = (what: string, example: string) =>
  dateTimeOf({
    description: `${what} With an offset; in the years 2000 to 2100, UTC.`,
    examples: [example],
  })

export const out = {
  uuid: z.string().meta({ format: 'uuid' }),
  dateTime: z
    .string()
    .meta({ format: 'date-time', description: 'UTC, with milliseconds and `Z`.' }),
  date: z.string().meta({ format: 'date' }),
  decimal: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .meta({ description: 'A decimal number with exactly the decimals of its currency.' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217.' }),
}

/** One of these today; more may come within a version, so the document leaves the list open. */
export const openEnum = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).meta({ 'x-extensible-enum': values })

/** Wraps a payload the way every successful answer is wrapped; `id` is what tools call the whole. */
export function dataOf<T extends z.ZodType>(payload: T, id: string) {
  return z.object({ data: payload }).meta({ id })
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

/** Holds a range to `to > from` (decision 13), as soon as both could be read. */
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
