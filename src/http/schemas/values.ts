import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import { uuid } from '../../input/fields.ts'
import type { Operation } from '../fastify.ts'

/** What a route says of itself to the chain, the document and the validation. */
export interface Declaration {
  readonly config: Required<Pick<FastifyContextConfig, 'access' | 'operation'>> &
    Pick<FastifyContextConfig, 'caching'>
  readonly schema: Operation['schema']
}

export const idParams = z.object({ id: uuid })

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

/** Wraps a payload the way every successful answer is wrapped. */
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

/** Holds a range to `to > from` (decision 13); the end is what the error names. */
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

/** Makes a check of these two fields run as soon as both could be read, whatever else is wrong. */
export function whenRead(one: string, other: string) {
  return {
    when: ({ value }: { readonly value: unknown }) =>
      [one, other].every((name) => Object(value)[name] instanceof Date),
  }
}
