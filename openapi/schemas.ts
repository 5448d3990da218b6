import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Collects the named schemas of a document and turns zod schemas into references to them. */
export interface SchemaCollector {
  /** `io`: what callers may send, or what they get. */
  toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** Every named schema met so far, by name. */
  readonly components: Record<string, JsonSchema>
}

export function schemaCollector(): SchemaCollector {
  const components: Record<string, JsonSchema> = {}
  const keep = (name: string, schema: JsonSchema) => {
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
        override: ({ jsonSchema }) => tidy(jsonSchema),
      })
      const name = schema.meta()?.['id']
      for (const [inner, definition] of Object.entries($defs)) keep(inner, definition)
      if (typeof name !== 'string') return relinked(rest)
      // A schema that refers to itself stands among its own definitions already.
      if (rest.$ref === undefined) keep(name, rest)
      return { $ref: `#/components/schemas/${name}` }
    },
  }
}

/** What zod knows and a reader does not need: patterns beside a format, and the ends of int53. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // E-mail addresses keep theirs: few tools know the format of international ones.
  if (schema.format !== undefined && schema.format !== 'idn-email') delete schema.pattern
  if (schema['x-extensible-enum'] !== undefined) delete schema.enum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // zod drops `examples` of values that it converts, so schemas have an `example`.
  if (schema['example'] !== undefined) schema.examples = [schema['example']]
  delete schema['example']
  // Answers may gain fields within a version; callers must not refuse them.
  delete schema.additionalProperties
  delete schema['id']
}

/** zod keeps shared schemas under `$defs`; in the document they are components. */
function relinked<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text, (_, part) => withNullInPlace(part))
}

/** Bounds of what may be null are easier to find beside a list of types than within `anyOf`. */
function withNullInPlace(part: unknown): unknown {
  const { anyOf, ...rest } = Object(part) as z.core.JSONSchema.BaseSchema
  const [one, other, ...more] = anyOf ?? []
  if (other?.type !== 'null' || typeof one?.type !== 'string' || more.length > 0) return part
  return { ...one, ...rest, type: [one.type, 'null'] }
}
