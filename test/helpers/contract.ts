import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'

export interface Exchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: NodeJS.Dict<unknown>
  readonly requestBody: string
  readonly status: number
  readonly headers: NodeJS.Dict<unknown>
  readonly body: string
}

interface Header {
  required?: boolean
  schema: object
}
interface DocumentedResponse {
  headers?: Record<string, { $ref: string } | Header>
  content?: {
    'application/json': { schema: object; examples?: Record<string, Example | { $ref: string }> }
  }
}
interface Example {
  readonly value: { readonly error: { readonly code: string; readonly message: string } }
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: object
}
interface DocumentedOperation {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Record<string, DocumentedResponse | { $ref: string }>
}
export interface OpenApiDocument {
  servers: [{ url: string }]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: {
    headers: Record<string, Header>
    responses: Record<string, DocumentedResponse>
    examples: Record<string, Example>
  }
}

/** Rejections of malformed HTTP, which no operation documents. They have their own tests. */
const malformedStatuses = new Set([408, 417, 431])

/** Checks exchanges against the document. `met` has `operation status code: message` of each. */
export interface ContractChecker {
  check(exchange: Exchange): string[]
  readonly met: ReadonlySet<string>
}

/** Returns the schemas with `additionalProperties: false`, so that undocumented fields are found. */
function withoutOtherFields<T extends object>(schemas: T): T {
  const close = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { additionalProperties: false, ...value }
      : value
  return JSON.parse(JSON.stringify(schemas, close))
}

/** Returns a checker for an OpenAPI document. */
export function contractChecker(document: OpenApiDocument): ContractChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/)
  ajv.addSchema({ $id: 'api', ...withoutOtherFields(document) })
  const compiled = new Map<object, ValidateFunction>()
  const met = new Set<string>()

  /** Validates a value. References in the document are relative to its root. */
  function problemsOf(schema: object, value: unknown, what: string): string[] {
    const rooted = JSON.parse(
      JSON.stringify(withoutOtherFields(schema)).replaceAll('"#/', '"api#/'),
    )
    const validate = compiled.get(schema) ?? ajv.compile(rooted)
    compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${what}${instancePath} ${message}`,
    )
  }

  function responseProblems(documented: DocumentedResponse, exchange: Exchange): string[] {
    const missing = Object.entries(documented.headers ?? {}).flatMap(([name, listed]) => {
      const header = '$ref' in listed ? document.components.headers[name] : listed
      const value = exchange.headers[name.toLowerCase()]
      if (value === undefined) return header?.required ? [`header ${name} is missing`] : []
      const typed = /^\d+$/.test(String(value)) ? Number(value) : String(value)
      return header === undefined ? [] : problemsOf(header.schema, typed, `header ${name}`)
    })
    const schema = documented.content?.['application/json'].schema
    if (schema === undefined) return exchange.body === '' ? missing : [...missing, 'has a body']
    if (exchange.method === 'HEAD') return missing
    return [...missing, ...problemsOf(schema, JSON.parse(exchange.body), 'body')]
  }

  /** Checks that an accepted request is valid. */
  function requestProblems(operation: DocumentedOperation, exchange: Exchange): string[] {
    if (exchange.status >= 400) return []
    const schema = operation.requestBody?.content['application/json'].schema
    const body =
      schema === undefined ? [] : problemsOf(schema, parsedBody(exchange.requestBody), 'request')
    const query = new URL(exchange.url, 'http://x').searchParams
    const values: Record<string, (name: string) => unknown> = {
      header: (name) => exchange.requestHeaders[name.toLowerCase()],
      query: (name) => query.get(name) ?? undefined,
    }
    const parameters = operation.parameters.flatMap(
      ({ $ref, name, in: location, required, schema }) => {
        if ($ref !== undefined || location === 'path') return []
        const value = values[location]?.(name)
        if (value === undefined) return required ? [`request: ${name} is missing`] : []
        return problemsOf(schema, value, `request ${name}`)
      },
    )
    return [...body, ...parameters]
  }

  return {
    met,
    check(exchange) {
      const operation = findOperation(document, exchange)
      // Unknown paths, other methods and preflights are not documented. They have their own tests.
      if (operation === undefined) return []
      const documented = resolveResponse(document, operation.responses[exchange.status])
      if (malformedStatuses.has(exchange.status)) return []
      if (documented === undefined)
        return [`${exchange.status} is not documented: ${exchange.body}`]
      met.add(nameOf(operation.operationId, exchange.status, exchange.body))
      return [
        ...codeProblems(documented, exchange),
        ...responseProblems(documented, exchange),
        ...requestProblems(operation, exchange),
      ]
    },
  }
}

/** Resolves a response that may refer to one shared by several operations. */
function resolveResponse(
  document: OpenApiDocument,
  documented: DocumentedResponse | { $ref: string } | undefined,
) {
  if (documented === undefined || !('$ref' in documented)) return documented
  return document.components.responses[documented.$ref.replace(/^.*\//, '')]
}

/** Checks the error code. The examples of a response are its documented codes. */
function codeProblems(
  { content }: DocumentedResponse,
  { status, body, method }: Exchange,
): string[] {
  const examples = content?.['application/json'].examples
  if (status < 400 || method === 'HEAD' || examples === undefined) return []
  const { code } = JSON.parse(body).error
  return code in examples ? [] : [`${code} is not documented for ${status}`]
}

/** Parses a body as the server does: trims text. */
function parsedBody(body: string): unknown {
  return JSON.parse(body.replace(/^\ufeff/, ''), (_, value) =>
    typeof value === 'string' ? value.trim() : value,
  )
}

function nameOf(operationId: string, status: number, body: string): string {
  return `${operationId} ${status}${status < 400 || body === '' ? '' : describeError(JSON.parse(body))}`
}

/** Returns code and message of an error without the parts that depend on the request. */
function describeError({ error: { code, message } }: Example['value']): string {
  const always = message.replace(/ The request has .*/s, '')
  return ` ${code}: ${always.replace(/\d{4}-\d\d-\d\d|\w+:(read|create)/, 'that one')}`
}

/** Returns all documented responses in the format of `met`. */
export function promisesOf(document: OpenApiDocument): string[] {
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, documented]) => {
        const examples = resolveResponse(document, documented)?.content?.['application/json']
          .examples
        if (examples === undefined) return [`${operationId} ${status}`]
        return Object.values(examples).map(
          (example) => `${operationId} ${status}${describeError(exampleValue(document, example))}`,
        )
      }),
    ),
  )
}

function exampleValue(document: OpenApiDocument, example: Example | { $ref: string }) {
  if (!('$ref' in example)) return example.value
  const shared = document.components.examples[example.$ref.replace(/^.*\//, '')]
  if (shared === undefined) throw new Error(`The document has no ${example.$ref}`)
  return shared.value
}

function findOperation(document: OpenApiDocument, { method, url }: Exchange) {
  const prefix = document.servers[0].url
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith(`${prefix}/`)) return undefined
  const found = Object.entries(document.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.slice(prefix.length)),
  )
  return found?.[1][method === 'HEAD' ? 'get' : method.toLowerCase()]
}

/** Converts headers to an object. Node also accepts them as a list of names and values. */
function asObject(headers: unknown): NodeJS.Dict<unknown> {
  if (!Array.isArray(headers)) return headers as NodeJS.Dict<unknown>
  const names = headers.filter((_, index) => index % 2 === 0)
  return Object.fromEntries(names.map((name, index) => [name, headers[2 * index + 1]]))
}

function decoded(body: Buffer, coding: unknown): Buffer {
  if (body.length === 0 || coding === undefined) return body
  return coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
}

/** Calls `observe` with every exchange of a server once the response is finished. */
export function observeExchanges(server: Server, observe: (exchange: Exchange) => void): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const sent: Buffer[] = []
    const received: Buffer[] = []
    const push = request.push.bind(request)
    request.push = (chunk, encoding) => {
      if (chunk) received.push(Buffer.from(chunk))
      return push(chunk, encoding)
    }
    for (const name of ['write', 'end'] as const) {
      const original = response[name].bind(response) as (...args: unknown[]) => never
      response[name] = (...args: unknown[]) => {
        const [chunk] = args
        if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) sent.push(Buffer.from(chunk))
        return original(...args)
      }
    }
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => never
    let headers: NodeJS.Dict<unknown> = {}
    response.writeHead = (...args: unknown[]) => {
      // Headers passed to writeHead are sent but not stored in the response.
      headers = { ...response.getHeaders(), ...asObject(args.at(-1)) }
      return writeHead(...args)
    }
    response.once('finish', () =>
      observe({
        method: request.method ?? '',
        url: request.url ?? '',
        requestHeaders: request.headers,
        requestBody: Buffer.concat(received).toString(),
        status: response.statusCode,
        headers,
        body: decoded(Buffer.concat(sent), headers['content-encoding']).toString(),
      }),
    )
  })
}
