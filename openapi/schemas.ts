import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Converts zod schemas to JSON Schema and collects the named schemas. */
export interface SchemaCollector {
  /** `input` for requests, `output` for responses. */
  toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** The named schemas converted so far, by name. */
  readonly components: Record<string, JsonSchema>
}

/** Returns an empty collector. */
export function schemaCollector(): SchemaCollector {
  const components: Record<string, JsonSchema> = {}
  const addComponent = (name: string, schema: JsonSchema) => {
    components[name] = relinked(schema)
  }
  return {
    components,
    toSchema(schema, io) {
      const {
        $schema: _,
        $defs = {},
        ...rest
      } = z.toJSONSchema(schema, {
        io,
        target: 'draft-2020-12',
        override: ({ jsonSchema }) => tidy(jsonSchema, io),
      })
      const name = schema.meta()?.['id']
      for (const [inner, definition] of Object.entries($defs)) addComponent(inner, definition)
      if (typeof name !== 'string') return relinked(rest)
      // A recursive schema is already in `$defs`.
      if (rest.$ref === undefined) addComponent(name, rest)
      return { $ref: `#/components/schemas/${name}` }
    },
  }
}

/** Removes what readers do not need: patterns beside a format, and the bounds of safe integers. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  // Keep the pattern of e-mail addresses, because few tools support `idn-email`.
  if (schema.format !== undefined && schema.format !== 'idn-email') delete schema.pattern
  if (schema['x-extensible-enum'] !== undefined) delete schema.enum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // zod drops `examples` of transformed values, so schemas declare `example`.
  if (schema['example'] !== undefined) schema.examples = [schema['example']]
  delete schema['example']
  // Responses may gain fields within a version, so clients must accept unknown ones.
  if (io === 'output') delete schema.additionalProperties
  delete schema['id']
}

/** Moves references from `$defs`, where zod puts shared schemas, to the components. */
function relinked<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text, (_, part) => inlineNullableType(part))
}

/**
 * Replaces `anyOf: [X, null]` by X with `null` in its `type`, because tools do not show bounds
 * within `anyOf`.
 */
function inlineNullableType(part: unknown): unknown {
  const { anyOf, ...rest } = Object(part) as z.core.JSONSchema.BaseSchema
  const [one, other, ...more] = anyOf ?? []
  if (other?.type !== 'null' || typeof one?.type !== 'string' || more.length > 0) return part
  return { ...one, ...rest, type: [one.type, 'null'] }
}
