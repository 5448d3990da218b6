import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { DomainError, type ErrorCode, type ErrorDetail } from '../domain/errors.ts'

/** The one place where a code gets its status (spec.md "Errors", decisions 9, 10, 29 and 32). */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  API_KEY_REQUIRED: 401,
  API_KEY_INVALID: 401,
  API_KEY_REVOKED: 401,
  API_KEY_EXPIRED: 401,
  SESSION_REQUIRED: 401,
  SESSION_INVALID: 401,
  SESSION_EXPIRED: 401,
  ORIGIN_NOT_ALLOWED: 403,
  SCOPE_NOT_GRANTED: 403,
  TENANT_SUSPENDED: 403,
  SUBSCRIPTION_CANCELLED: 403,
  SUBSCRIPTION_PAST_DUE: 403,
  MODULE_NOT_ENABLED: 403,
  QUOTE_SESSION_MISMATCH: 403,
  NOT_FOUND: 404,
  QUOTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  QUOTE_EXPIRED: 409,
  QUOTE_ALREADY_USED: 409,
  REQUEST_IN_PROGRESS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  NO_RATE_AVAILABLE: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
}

/** When to come back, for refusals that pass by themselves. A 429 knows its window and says so itself. */
export const retryAfterSeconds = {
  REQUEST_IN_PROGRESS: 1,
  SERVICE_UNAVAILABLE: 2,
} satisfies Partial<Record<ErrorCode, number>>

/** What the framework's own refusals mean in our terms; anything else of its kind is a bad request. */
const frameworkCodes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
  FST_ERR_BAD_URL: ['VALIDATION_ERROR', 'The path is not a valid URL path.'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'There is nothing at this path.'],
}

/**
 * What HTTP itself has a status for and our codes don't: still a VALIDATION_ERROR in the envelope.
 * The connection is closed, since whoever sent this may not know where its next request begins.
 */
export class HttpRefusal extends DomainError {
  readonly status: 400 | 417 | 431

  constructor(status: 400 | 417 | 431, message: string) {
    super('VALIDATION_ERROR', message)
    this.status = status
  }
}

/** The body of every error answer. */
export function errorEnvelope(
  code: ErrorCode,
  message: string,
  details?: readonly ErrorDetail[],
): { error: { code: ErrorCode; message: string; details?: readonly ErrorDetail[] } } {
  return { error: details === undefined ? { code, message } : { code, message, details } }
}

/** Writes any error as an answer in the envelope. What we can't explain is logged and says nothing. */
export async function sendError(
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = toDomainError(error)
  const { code } = refusal
  request.refusal = code
  const reason = { reqId: request.id, traceId: request.traceId, err: error }
  if (code === 'INTERNAL_ERROR') log.error(reason, 'request failed')
  if (code === 'SERVICE_UNAVAILABLE') log.warn(reason, 'database unavailable')
  if (code.startsWith('API_KEY_')) reply.header('www-authenticate', 'Bearer')
  if (isPassing(code)) reply.header('retry-after', retryAfterSeconds[code])
  if (refusal instanceof HttpRefusal) reply.header('connection', 'close')
  return reply
    .code(refusal instanceof HttpRefusal ? refusal.status : httpStatus[code])
    .type('application/json; charset=utf-8')
    .send(errorEnvelope(code, refusal.message, refusal.details))
}

function isPassing(code: ErrorCode): code is keyof typeof retryAfterSeconds {
  return code in retryAfterSeconds
}

function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isDatabaseUnavailable(error)) {
    return new DomainError(
      'SERVICE_UNAVAILABLE',
      'The service is briefly unavailable. Repeat the request, with the same Idempotency-Key if it had one.',
    )
  }
  if (isFrameworkError(error)) {
    const [code, message] = frameworkCodes[error.code] ?? [
      'VALIDATION_ERROR',
      'The request could not be read.',
    ]
    return new DomainError(code, message)
  }
  return new DomainError('INTERNAL_ERROR', 'Something went wrong on our side.')
}

function isFrameworkError(error: unknown): error is { code: string; statusCode: number } {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false
  const { code, statusCode } = error
  return (
    typeof code === 'string' &&
    code.startsWith('FST_') &&
    typeof statusCode === 'number' &&
    statusCode < 500
  )
}
