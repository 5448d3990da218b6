import type { z } from 'zod'
import type { Operation } from '../src/http/chain/operation.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'
import { errorResponses } from './errors.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

/** Returns an operation as an OpenAPI operation object. */
export function describeOperation(operation: Operation, collector: SchemaCollector) {
  const { operationId, tag, summary, description, access } = operation
  const scope =
    access.scope === null ? 'No scope is required.' : `Requires the scope \`${access.scope}\`.`
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} ${scope}`,
    parameters: parametersOf(operation, collector),
    ...requestBodyOf(operation, collector),
    responses: {
      ...successOf(operation, collector),
      ...(operation.cacheControl !== undefined && {
        304: {
          description: 'Not modified. Use the cached response.',
          headers: headerReferences(successHeadersOf(operation)),
        },
      }),
      ...errorResponses(operation),
    },
  }
}

const cachingHeaderNames: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary']

function successHeadersOf({ cacheControl, translated }: Operation): HeaderName[] {
  const ofCaching = cacheControl === undefined ? [] : cachingHeaderNames
  return [...limitHeaderNames, ...ofCaching, ...(translated ? ['Content-Language' as const] : [])]
}

function parametersOf(
  { schema, access, cacheControl, translated }: Operation,
  { toSchema }: SchemaCollector,
) {
  // Browsers send Origin themselves, and forbid programs to: generated clients must not ask for it.
  const listed = (part: z.ZodType | undefined, place: 'path' | 'query' | 'header') => {
    const { properties = {}, required = [] }: ObjectSchema =
      part === undefined ? {} : toSchema(part, 'input')
    return Object.entries(properties)
      .filter(([name]) => name !== 'origin')
      .map(([name, { description, examples: [example] = [] as unknown[], ...property }]) => ({
        name: place === 'header' ? headerName(name) : name,
        in: place,
        required: required.includes(name),
        description,
        example,
        schema: property,
      }))
  }
  return [
    ...listed(schema.params, 'path'),
    ...listed(schema.query, 'query'),
    ...listed(schema.headers, 'header'),
    ...(access.session ? [{ $ref: '#/components/parameters/SessionToken' }] : []),
    ...(cacheControl !== undefined ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(translated ? [{ $ref: '#/components/parameters/AcceptLanguage' }] : []),
  ]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema & { examples?: unknown[] }>>
  readonly required?: readonly string[]
}

function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function requestBodyOf(
  { schema, requestExample: example }: Operation,
  { toSchema }: SchemaCollector,
) {
  if (schema.body === undefined) return {}
  const content = { schema: toSchema(schema.body, 'input'), example }
  return { requestBody: { required: true, content: { 'application/json': content } } }
}

function successOf(operation: Operation, { toSchema }: SchemaCollector) {
  const { status, schema, description, example, headers = [], links } = operation.response
  const content = { schema: toSchema(schema, 'output'), example: { data: example } }
  return {
    [status]: {
      description,
      headers: headerReferences([...successHeadersOf(operation), ...headers]),
      content: { 'application/json': content },
      ...(links !== undefined && { links }),
    },
  }
}
