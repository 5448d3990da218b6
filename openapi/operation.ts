import type { z } from 'zod'
import type { Operation } from '../src/http/chain/operation.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'
import { errorAnswers } from './errors.ts'
import { parameterProse } from './prose/fields.ts'
import { type OperationProse, operationProse } from './prose/operations.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

/** One operation of the document, as it is declared. */
export function describeOperation(operation: Operation, collector: SchemaCollector) {
  const { operationId, access } = operation
  const prose = operationProse[operationId]
  if (prose === undefined) throw new Error(`openapi/prose says nothing of ${operationId}`)
  const scope = access.scope === null ? 'Any key will do.' : `Needs the scope \`${access.scope}\`.`
  return {
    operationId,
    tags: [prose.tag],
    summary: prose.summary,
    description: `${prose.description} ${scope}`,
    parameters: parametersOf(operation, collector),
    ...requestBodyOf(operation, prose, collector),
    responses: {
      ...successOf(operation, prose, collector),
      ...(operation.cacheControl !== undefined && {
        304: {
          description: 'Not modified: use the answer you have.',
          headers: headerReferences([...limitHeaderNames, ...cachingHeaderNames]),
        },
      }),
      ...errorAnswers(operation, prose),
    },
  }
}

const cachingHeaderNames: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary']

function parametersOf(
  { operationId, schema, access, cacheControl }: Operation,
  { toSchema }: SchemaCollector,
) {
  const prose = parameterProse[operationId] ?? {}
  const listed = (part: z.ZodType | undefined, place: 'path' | 'query' | 'header') => {
    const { properties = {}, required = [] }: ObjectSchema =
      part === undefined ? {} : toSchema(part, 'input')
    return Object.entries(properties).map(([name, property]) => ({
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required.includes(name),
      ...prose[name],
      schema: property,
    }))
  }
  return [
    ...listed(schema.params, 'path'),
    ...listed(schema.query, 'query'),
    ...listed(schema.headers, 'header'),
    ...(access.session ? [{ $ref: '#/components/parameters/SessionToken' }] : []),
    ...(cacheControl !== undefined ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** `idempotency-key` as people write it. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function requestBodyOf(
  { schema }: Operation,
  { bodyExample }: OperationProse,
  { toSchema }: SchemaCollector,
) {
  if (schema.body === undefined) return {}
  const content = { schema: toSchema(schema.body, 'input'), example: bodyExample }
  return { requestBody: { required: true, content: { 'application/json': content } } }
}

function successOf(
  { response, cacheControl }: Operation,
  { answer: { description, example, headers = [], links } }: OperationProse,
  { toSchema }: SchemaCollector,
) {
  const names = [...limitHeaderNames, ...(cacheControl === undefined ? [] : cachingHeaderNames)]
  const content = { schema: toSchema(response.schema, 'output'), example: { data: example } }
  return {
    [response.status]: {
      description,
      headers: headerReferences([...names, ...headers]),
      content: { 'application/json': content },
      ...(links !== undefined && { links }),
    },
  }
}
