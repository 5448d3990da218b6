import type { z } from 'zod'
import type { Operation } from '../src/http/fastify.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'
import { errorAnswers } from './errors.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

/** One operation of the document, as it is declared. */
export function describeOperation(operation: Operation, collector: SchemaCollector) {
  const { operationId, tag, summary, description, access } = operation
  const scope = access.scope === null ? 'Any key will do.' : `Needs the scope \`${access.scope}\`.`
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} ${scope}`,
    parameters: parametersOf(operation, collector),
    ...requestBodyOf(operation, collector),
    responses: {
      ...successOf(operation, collector),
      ...(operation.caching !== undefined && {
        304: {
          description: 'Not modified: use the answer you have.',
          headers: headerReferences([...limitHeaderNames, ...cachingHeaderNames]),
        },
      }),
      ...errorAnswers(operation),
    },
  }
}

const cachingHeaderNames: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary']

function parametersOf({ schema, access, caching }: Operation, { toSchema }: SchemaCollector) {
  const listed = (part: z.ZodType | undefined, place: 'path' | 'query' | 'header') => {
    const { properties = {}, required = [] } =
      part === undefined ? {} : objectOf(toSchema(part, 'input'))
    return Object.entries(properties).map(([name, { description, examples, ...property }]) => ({
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required.includes(name),
      description,
      // Where Swagger UI looks for what to fill in.
      ...(examples !== undefined && { example: examples[0] }),
      schema: property,
    }))
  }
  return [
    ...listed(schema.params, 'path'),
    ...listed(schema.query, 'query'),
    ...listed(schema.headers, 'header'),
    ...(access.session ? [{ $ref: '#/components/parameters/SessionToken' }] : []),
    ...(caching !== undefined ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
}

function objectOf(schema: JsonSchema) {
  return schema as {
    properties?: Record<string, JsonSchema & { examples?: readonly unknown[] }>
    required?: string[]
  }
}

/** `idempotency-key` as people write it. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function requestBodyOf({ schema, bodyExample }: Operation, { toSchema }: SchemaCollector) {
  if (schema.body === undefined) return {}
  const content = { schema: toSchema(schema.body, 'input'), example: bodyExample }
  return { requestBody: { required: true, content: { 'application/json': content } } }
}

function successOf({ answer, caching }: Operation, { toSchema }: SchemaCollector) {
  const { status, schema, description, example, headers = [], links } = answer
  const names = [...limitHeaderNames, ...(caching === undefined ? [] : cachingHeaderNames)]
  const content = { schema: toSchema(schema, 'output'), example }
  return {
    [status]: {
      description,
      headers: headerReferences([...names, ...headers]),
      content: { 'application/json': content },
      ...(links !== undefined && { links }),
    },
  }
}
