import fc from 'fast-check'
import { evil, type Pools, type SchemaSource, type SentSchema, spoiled, valid } from './schema.ts'

/** The parts of a documented operation that concern requests. */
interface FuzzedOperation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name?: string
    readonly in?: string
    readonly schema?: SentSchema
  }[]
  readonly requestBody?: { readonly content: { 'application/json': { schema: SentSchema } } }
}

export interface FuzzDocument extends SchemaSource {
  readonly paths: Readonly<Record<string, Readonly<Record<string, FuzzedOperation>>>>
}

export interface FuzzedRequest {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** The IDs, keys, origins and tokens that valid and hostile clients may send. */
export interface FuzzWorld {
  readonly pools: Pools
  readonly keys: readonly string[]
  readonly origins: readonly string[]
  readonly sessions: readonly string[]
}

const latin1 = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replace(/[\x7f-\x9f]/g, ''))
const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: good, weight: 4 }, { arbitrary: bad, weight: 1 })

/** Objects with their own `toString` property cannot be converted by String(). */
const asText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Returns an arbitrary for requests of all operations: valid, with one error, or with many. */
export function requests(document: FuzzDocument, world: FuzzWorld): fc.Arbitrary<FuzzedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return fc.oneof(
    ...operations.map(({ path, method, operation }) =>
      fc
        .record({
          path: pathOf(path, operation, document, world),
          headers: headersOf(operation, world),
          body: bodyOf(operation, document, world),
        })
        .map(({ path: tail, headers, body }) => ({
          operationId: operation.operationId,
          method: method.toUpperCase(),
          path: `/api/v1${tail}`,
          headers,
          ...(body !== undefined && { body }),
        })),
    ),
  )
}

function pathOf(
  path: string,
  { parameters }: FuzzedOperation,
  document: FuzzDocument,
  { pools }: FuzzWorld,
): fc.Arbitrary<string> {
  type Pairs = [string, string][]
  const ids = path.startsWith('/bookings') ? 'bookingId' : 'assetGroupId'
  // Encoded, because a slash would change the path.
  const junk = evil.map(
    (value) => encodeURIComponent(wellFormed(asText(value))).slice(0, 90) || 'x',
  )
  const id = mostly(fc.constantFrom(...(pools[ids] ?? [])), junk)
  const query = parameters
    .filter(({ in: location }) => location === 'query')
    .map(({ name = '', schema = {} }) =>
      mostly<Pairs>(
        valid(schema, document, pools, name).map((value) => [[name, asText(value)]]),
        fc.oneof(
          evil.map((value): Pairs => [[name, wellFormed(asText(value)).slice(0, 500)]]),
          fc.constantFrom<Pairs>(
            [],
            [
              [name, ''],
              [name, 'twice'],
            ],
          ),
        ),
      ),
    )
  return fc.tuple(id, ...query).map(([known, ...pairs]) => {
    const search = new URLSearchParams(pairs.flat()).toString()
    return path.replace('{id}', known) + (search === '' ? '' : `?${search}`)
  })
}

function headersOf(
  { requestBody }: FuzzedOperation,
  { keys, origins, sessions }: FuzzWorld,
): fc.Arbitrary<Record<string, string>> {
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const key = mostly(
    fc.constantFrom(...keys.slice(0, 1)),
    fc.oneof(fc.constantFrom(...keys), latin1),
  )
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'a/b;c', '', 'x'),
  )
  return fc
    .record({
      authorization: optional(key.map((value) => `Bearer ${value}`)),
      'x-api-key': mostly(key, fc.constant(undefined)),
      origin: optional(mostly(fc.constantFrom(...origins), latin1)),
      'x-session-token': optional(mostly(fc.constantFrom(...sessions), latin1)),
      'idempotency-key': mostly(fc.uuid(), fc.oneof(latin1, fc.constantFrom('same', 'a,b', ''))),
      'content-type': requestBody === undefined ? optional(type) : type,
      'content-encoding': mostly(fc.constant(undefined), fc.constantFrom('gzip', 'identity')),
      'if-none-match': optional(fc.oneof(fc.constantFrom('*', 'W/"x"', '"'), latin1)),
      'accept-encoding': optional(latin1),
      'x-forwarded-for': optional(latin1),
      'x-request-id': optional(latin1),
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value.trim()]],
        ),
      ),
    )
}

function bodyOf(
  { requestBody }: FuzzedOperation,
  document: FuzzDocument,
  { pools }: FuzzWorld,
): fc.Arbitrary<string | Buffer | undefined> {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  if (requestBody === undefined) return mostly(fc.constant(undefined), bytes)
  const good = valid(requestBody.content['application/json'].schema, document, pools)
  const written = (value: unknown) => JSON.stringify(value) ?? ''
  return fc.oneof(
    { arbitrary: good.map(written), weight: 4 },
    { arbitrary: good.chain(spoiled).map(written), weight: 4 },
    { arbitrary: fc.json(), weight: 1 },
    {
      arbitrary: fc.tuple(good.map(written), fc.nat()).map(([text, at]) => cut(text, at)),
      weight: 1,
    },
    { arbitrary: bytes, weight: 1 },
  )
}

function cut(text: string, at: number): string {
  return text.slice(0, at % (text.length + 1))
}

/** Replaces lone surrogates, which encodeURIComponent rejects. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}
