import { z } from 'zod'
import { uuid } from '../../input/fields.ts'
import { exampleIds } from './examples.ts'

export const withOffset =
  'An RFC 3339 date-time with an offset, such as `2035-06-01T10:00:00+02:00`, in the years 2000 to 2100 (UTC).'

export const assetGroupParams = z.object({
  id: uuid.meta({ description: 'The id of the asset group.', example: exampleIds.assetGroup }),
})

export const responseTypes = {
  uuid: z.string().meta({ format: 'uuid' }),
  assetGroupId: z
    .string()
    .meta({ format: 'uuid', description: 'The id of the asset group (vehicle class).' }),
  dateTime: z
    .string()
    .meta({ format: 'date-time', description: 'In UTC, with milliseconds and `Z`.' }),
  date: z.string().meta({ format: 'date' }),
  decimal: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .meta({
      description:
        'An amount in `currency`: a decimal number with exactly as many decimals as the currency has.',
    }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'An ISO 4217 currency code.' }),
}

/**
 * An enum that the OpenAPI document marks as extensible, so that adding a value is a compatible
 * change.
 */
export const openEnum = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).meta({ 'x-extensible-enum': values })

/** Wraps a payload in `data`. `id` names the schema in the document. */
export function dataOf<T extends z.ZodType>(payload: T, id: string) {
  return z.object({ data: payload }).meta({ id })
}

/** Returns the JSON Schema from which Fastify compiles a serializer. */
export function serializerSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'output', target: 'draft-7', override: dropConstraints })
}

function dropConstraints({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern
  delete jsonSchema.minimum
  delete jsonSchema.maximum
}
