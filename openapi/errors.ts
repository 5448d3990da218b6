import { scopeNotGranted, scopes } from '../src/domain/access.ts'
import {
  ApiError,
  type ErrorCode,
  errorTable,
  type PlainErrorCode,
  validationError,
} from '../src/domain/errors.ts'
import { MalformedRequest } from '../src/domain/malformedRequest.ts'
import { errorAnswer } from '../src/http/door/errorAnswer.ts'
import type { Operation } from '../src/http/fastify.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'

const ofEveryOperation: readonly PlainErrorCode[] = [
  'API_KEY_REQUIRED',
  'API_KEY_INVALID',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'TENANT_SUSPENDED',
  'SUBSCRIPTION_CANCELLED',
  'SUBSCRIPTION_PAST_DUE',
  'MODULE_NOT_ENABLED',
  'ORIGIN_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
const ofSessions: readonly PlainErrorCode[] = [
  'SESSION_REQUIRED',
  'SESSION_INVALID',
  'SESSION_EXPIRED',
]

/** The error answers of an operation by status: the chain's, those of a body, and its own. */
export function errorAnswers(operation: Operation): Record<string, object> {
  const errors = errorsOf(operation)
  const statuses = [...new Set(errors.map(({ status }) => status))]
  return Object.fromEntries(
    statuses.map((status) => [status, describe(errors.filter((error) => error.status === status))]),
  )
}

function errorsOf({ method, access, schema, text }: Operation): readonly ApiError[] {
  const declared: readonly (PlainErrorCode | ApiError)[] = [
    ...ofEveryOperation,
    // Of any operation's scope, so that all can share the answer.
    ...(access.scope === null ? [] : [scopeNotGranted(scopes[0])]),
    ...(access.session ? ofSessions : []),
    ...(schema.body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...(text.errors ?? []),
  ]
  const takesNothing = method === 'GET' && schema.params === undefined
  const invalid = takesNothing
    ? new MalformedRequest('hosts')
    : validationError([{ path: 'query.from', message: 'is required' }])
  return [
    invalid,
    ...declared.map((error) => (error instanceof ApiError ? error : new ApiError(error))),
  ]
}

/** The answer of one status, with an example of each code as it is really sent. */
function describe(errors: readonly ApiError[]): object {
  const sent = errors.map((error) => [error.code, errorAnswer(error)] as const)
  const names: HeaderName[] = [...limitHeaderNames]
  if (sent.some(([, { headers }]) => 'www-authenticate' in headers)) names.push('WWW-Authenticate')
  if (errors.some(({ status }) => status === 429 || status === 503)) names.push('Retry-After')
  const examples = sent.map(([code, { body }]) => [code, { value: JSON.parse(body) }])
  return {
    description: errors.map(({ code }) => `- \`${code}\`: ${errorTable[code].advice}`).join('\n'),
    headers: headerReferences(names),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const codes = Object.keys(errorTable) as ErrorCode[]

/** The body of every error answer. More codes may come within a version. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          description:
            'What went wrong, for programs. New codes may be added; treat an unknown one by its status.',
          examples: codes,
          'x-retryable': codes.filter(
            (code) => code === 'RATE_LIMITED' || 'retryAfterSeconds' in errorTable[code],
          ),
        },
        message: { type: 'string', description: 'What went wrong, for people. May change.' },
        details: { $ref: '#/components/schemas/ErrorDetails' },
      },
    },
  },
} as const
