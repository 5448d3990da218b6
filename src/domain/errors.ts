/** Every error code an answer can carry: spec.md "Errors" and decisions 8, 10 and 32. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'API_KEY_REQUIRED'
  | 'API_KEY_INVALID'
  | 'API_KEY_REVOKED'
  | 'API_KEY_EXPIRED'
  | 'SESSION_REQUIRED'
  | 'SESSION_INVALID'
  | 'SESSION_EXPIRED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SCOPE_NOT_GRANTED'
  | 'TENANT_SUSPENDED'
  | 'SUBSCRIPTION_CANCELLED'
  | 'SUBSCRIPTION_PAST_DUE'
  | 'MODULE_NOT_ENABLED'
  | 'QUOTE_SESSION_MISMATCH'
  | 'NOT_FOUND'
  | 'QUOTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_ALREADY_USED'
  | 'REQUEST_IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NO_RATE_AVAILABLE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** Names the field an error is about; `path` is dotted, e.g. `customer.email`. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** A refusal the caller can act on. Knows no HTTP status: `http/errors.ts` maps code to status. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[] | undefined

  constructor(code: ErrorCode, message: string, details?: readonly ErrorDetail[]) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.details = details
  }
}
