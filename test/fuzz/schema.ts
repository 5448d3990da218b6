import fc from 'fast-check'

/** The part of JSON Schema that the OpenAPI document uses for requests. */
export interface SentSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: SentSchema
  readonly properties?: Readonly<Record<string, SentSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly SentSchema[]
}

/** Values that exist on the server under test, by field name. */
export type Pools = Readonly<Record<string, readonly string[]>>

export interface SchemaSource {
  readonly components: { readonly schemas: Readonly<Record<string, SentSchema>> }
}

const namesLengthMax = 60

/** Returns an arbitrary for valid values. Most strings come from the pools, so that some exist. */
export function valid(
  schema: SentSchema,
  source: SchemaSource,
  pools: Pools,
  name = '',
): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const target = source.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (target === undefined) throw new Error(`The document has no ${schema.$ref}`)
    return valid(target, source, pools, name)
  }
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one) => valid(one, source, pools, name)))
  }
  if (schema.type?.includes('null') && schema.type !== 'null') {
    const type = [schema.type].flat().filter((one) => one !== 'null')
    return fc.option(valid({ ...schema, type: type[0] ?? '' }, source, pools, name))
  }
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([field, of]) => [field, valid(of, source, pools, field)] as const,
    )
    return fc.record(Object.fromEntries(fields), {
      requiredKeys: [...(schema.required ?? [])],
      noNullPrototype: true,
    })
  }
  if (schema.items !== undefined) {
    const maxLength = Math.min(schema.maxItems ?? 3, 3)
    return fc.array(valid(schema.items, source, pools, name), { maxLength })
  }
  if (schema.type === 'integer') {
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 })
  }
  return text(schema, pools, name)
}

function text(schema: SentSchema, pools: Pools, name: string): fc.Arbitrary<string> {
  const pool = pools[name]
  if (pool !== undefined) return fc.constantFrom(...pool)
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'idn-email') return fc.emailAddress()
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((at) => at.toISOString())
  if (schema.pattern !== undefined && schema.maxLength === undefined) {
    return fc.stringMatching(new RegExp(schema.pattern))
  }
  const maxLength = Math.min(schema.maxLength ?? namesLengthMax, namesLengthMax)
  return fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength })
}

export const evil: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    [],
    {},
    [[]],
    'null',
    'NaN',
    '\u0000',
    '\ud800',
    'a\u0000b',
    '\u202e',
    '\ufeff',
    '%00',
    '../../etc/passwd',
    '\r\nX: y',
    "' or 1=1--",
    '$$',
    '{{7*7}}',
    '<script>',
    '__proto__',
    'urn:uuid:',
    'a'.repeat(10_000),
    '0000-01-01T00:00:00Z',
    '2027-02-30T10:00:00Z',
    '2027-06-30T23:59:60Z',
    '+275760',
    '2027-01-01T00:00:00+25:00',
    '2027-01-01',
    'b@a@c.d',
    '٣',
    '1e2',
    '-1',
    '∞',
  ),
)

/** Returns an arbitrary for copies of a value in which one part is replaced, removed or added. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsIn(value)
  return fc.tuple(fc.constantFrom(...paths), evil, fc.boolean()).map(([path, bad, drop]) => {
    const copy: unknown = structuredClone(value)
    return replaceAt(copy, path, drop ? undefined : bad)
  })
}

type Path = readonly (string | number)[]

function pathsIn(value: unknown, here: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [here]
  const inside = Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...here, key]))
  return [here, [...here, 'unknown'], ...inside]
}

function replaceAt(value: unknown, [key, ...rest]: Path, bad: unknown): unknown {
  if (key === undefined) return bad
  const holder = value as Record<string | number, unknown>
  holder[key] = replaceAt(holder[key], rest, bad)
  return holder
}
