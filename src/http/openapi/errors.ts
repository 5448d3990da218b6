import type { ErrorCode } from '../../domain/errors.ts'
import { errorEnvelope, httpStatus } from '../errors.ts'
import type { Operation } from '../fastify.ts'

/** What each code means and what to do about it. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'The request is not valid; `details` names every field.',
  API_KEY_REQUIRED: 'No API key was sent.',
  API_KEY_INVALID: 'The API key is not valid.',
  API_KEY_REVOKED: 'The API key was revoked.',
  API_KEY_EXPIRED: 'The API key has expired.',
  SESSION_REQUIRED: 'A browser sent no session token.',
  SESSION_INVALID: 'The session token is not valid for this key and origin.',
  SESSION_EXPIRED: 'The session has expired: create a new one, and quotes anew in it.',
  ORIGIN_NOT_ALLOWED: "The origin is not on the key's allow list.",
  SCOPE_NOT_GRANTED: 'The key lacks the scope of this operation.',
  TENANT_SUSPENDED: 'The account is suspended.',
  SUBSCRIPTION_CANCELLED: 'The subscription of the account was cancelled.',
  SUBSCRIPTION_PAST_DUE: 'A payment for the account is overdue.',
  MODULE_NOT_ENABLED: 'Online booking is not enabled for the account.',
  QUOTE_SESSION_MISMATCH: 'The quote was made in another session or channel.',
  NOT_FOUND: 'There is nothing with this id.',
  QUOTE_NOT_FOUND: 'This key made no quote with this id.',
  METHOD_NOT_ALLOWED: 'The path does not take this method.',
  QUOTE_EXPIRED: 'The quote has expired: request a new one.',
  QUOTE_ALREADY_USED: 'A booking exists for this quote.',
  REQUEST_IN_PROGRESS: 'The same Idempotency-Key is at work: repeat after `Retry-After`.',
  PAYLOAD_TOO_LARGE: 'The body has more than 64 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not application/json in UTF-8.',
  NO_RATE_AVAILABLE: 'No rate is configured for the pickup date.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another body.',
  RATE_LIMITED: 'The limit is used up: wait for `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong on our side; tell us the `X-Request-Id`.',
  SERVICE_UNAVAILABLE: 'Briefly unavailable: repeat after `Retry-After`, with the same key.',
}

const ofEveryOperation: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
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

/** Every code an operation can answer with: the chain's, those of a body, and its own. */
function errorCodesOf({ method, access, schema, text }: Operation): readonly ErrorCode[] {
  return [
    ...ofEveryOperation,
    ...(access.scope === null ? [] : (['SCOPE_NOT_GRANTED'] as const)),
    ...(access.session
      ? (['SESSION_REQUIRED', 'SESSION_INVALID', 'SESSION_EXPIRED'] as const)
      : []),
    ...(schema.body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...(text.errors ?? []),
  ]
}

/** The error answers of an operation by status, each with its codes and an example of every one. */
export function errorAnswers(
  operation: Operation,
  headersOf: (status: number) => object,
): Record<string, object> {
  const all = errorCodesOf(operation)
  const statuses = [...new Set(all.map((code) => httpStatus[code]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = all.filter((code) => httpStatus[code] === status)
      const content = { schema: schemaOf(codes), examples: examplesOf(codes) }
      return [
        String(status),
        {
          description: codes.map((code) => `- \`${code}\`: ${meanings[code]}`).join('\n'),
          headers: headersOf(status),
          content: { 'application/json': content },
        },
      ]
    }),
  )
}

/** The envelope with the codes of one status: some tools read `allOf` as a list of closed objects. */
function schemaOf(codes: readonly ErrorCode[]): object {
  const properties = {
    code: { type: 'string', enum: codes },
    message: { type: 'string', description: 'For people. May change.' },
    details: { $ref: '#/components/schemas/ErrorDetails' },
  }
  const error = { type: 'object', required: ['code', 'message'], properties }
  return { type: 'object', required: ['error'], properties: { error } }
}

function examplesOf(codes: readonly ErrorCode[]): Record<string, object> {
  const details = [{ path: 'customer.email', message: 'is required' }]
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        value: errorEnvelope(
          code,
          meanings[code],
          code === 'VALIDATION_ERROR' ? details : undefined,
        ),
      },
    ]),
  )
}
