import { z } from 'zod'
import { uuid } from '../../input/fields.ts'
import { exampleIds } from './examples.ts'

/** Says of a date-time in a request which are accepted. */
export const withOffset = 'With an offset; in the years 2000 to 2100, UTC.'

export const assetGroupParams = z.object({
  id: uuid.meta({ description: 'Id of the asset group.', example: exampleIds.assetGroup }),
})

export const responseTypes = {
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
export function serializerSchema(schema: z.ZodType): object {
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
