import { scopeNotGranted } from '../src/domain/accountRules.ts'
import { ApiError, errorTable, type PlainErrorCode } from '../src/domain/errors.ts'
import { originNotAllowed } from '../src/domain/origins.ts'
import { MalformedRequest } from '../src/http/chain/malformedRequest.ts'
import type { Operation } from '../src/http/chain/operation.ts'
import { parseRequest } from '../src/http/schemas/validation.ts'
import { errorResponse } from '../src/http/server/errorResponse.ts'
import {
  type HeaderName,
  headerReferences,
  limitHeaderNames,
  retryAfterInProgress,
} from './components.ts'

const ofEveryOperation: readonly (PlainErrorCode | ApiError)[] = [
  originNotAllowed('https://www.example.com'),
  'API_KEY_REQUIRED',
  'API_KEY_INVALID',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'TENANT_SUSPENDED',
  'SUBSCRIPTION_CANCELLED',
  'SUBSCRIPTION_PAST_DUE',
  'MODULE_NOT_ENABLED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
const ofSessions: readonly PlainErrorCode[] = [
  'SESSION_REQUIRED',
  'SESSION_INVALID',
  'SESSION_EXPIRED',
]

/** Returns all error responses of an operation by status. */
export function errorResponses(operation: Operation): Record<string, object> {
  const errors = errorsOf(operation)
  const statuses = [...new Set(errors.map(({ status }) => status))]
  return Object.fromEntries(
    statuses.map((status) => [status, describe(errors.filter((error) => error.status === status))]),
  )
}

function errorsOf({ method, access, schema, errors: own = [] }: Operation): readonly ApiError[] {
  const declared: readonly (PlainErrorCode | ApiError)[] = [
    ...ofEveryOperation,
    ...(access.scope === null ? [] : [scopeNotGranted(access.scope)]),
    ...(access.session ? ofSessions : []),
    ...(schema.body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...own,
  ]
  return [
    invalidRequest(schema),
    ...declared.map((error) => (error instanceof ApiError ? error : new ApiError(error))),
  ]
}

/**
 * Returns an example of a 400: the error for an empty request with a malformed id, or for malformed
 * HTTP if the operation has no input.
 */
function invalidRequest(schema: Operation['schema']): ApiError {
  const empty = { params: { id: '42' }, query: {}, headers: {}, body: {} }
  return parseRequest(schema, empty) ?? new MalformedRequest('hosts')
}

function describe(errors: readonly ApiError[]): object {
  const sent = errors.map((error) => errorResponse(error))
  const names: HeaderName[] = [...limitHeaderNames]
  if (sent.some(({ headers }) => 'www-authenticate' in headers)) names.push('WWW-Authenticate')
  if (errors.some(({ status }) => status === 429 || status === 503)) names.push('Retry-After')
  const soon = sent.some(({ status, headers }) => status === 409 && 'retry-after' in headers)
  return {
    description: errors.map(({ code }) => `- \`${code}\`: ${errorTable[code].advice}`).join('\n'),
    headers: { ...headerReferences(names), ...(soon && { 'Retry-After': retryAfterInProgress }) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ApiError' },
        examples: Object.fromEntries(errors.map((error) => [error.code, exampleOf(error)])),
      },
    },
  }
}

const exampleOf = (error: ApiError) => ({ value: JSON.parse(errorResponse(error).body) })
