/** The largest accepted request body. Larger bodies are rejected without being read. */
export const bodyBytesMax = 64 * 1024

export interface ErrorDefinition {
  readonly status: number
  /** The message of the response. If missing, the caller of `ApiError` must pass a message. */
  readonly message?: string
  /** Advice to the integrator, shown in the OpenAPI document and the guide. */
  readonly advice: string
  /** For transient errors. The value of a 429 comes from its window instead. */
  readonly retryAfterSeconds?: number
}

const newSession = 'Create a session, then a new quote in it.'
const otherKey = 'Ask the rental company for another key.'
const addToKey = (what: string) => `Ask the rental company to add the ${what} to the key.`

const blockedAccount = (message: string) => {
  return { status: 403, message, advice: 'Hide the booking form, and contact the rental company.' }
}

/** All errors of the API. Responses, documentation and client types come from this table. */
export const errorTable = {
  VALIDATION_ERROR: {
    status: 400,
    advice:
      'Correct the fields that `details` names; in a form, show each message beside its field.',
  },
  API_KEY_REQUIRED: {
    status: 401,
    message: 'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-Api-Key.',
    advice: 'Send a key with every request.',
  },
  API_KEY_INVALID: {
    status: 401,
    message:
      'This API key is complete, but unknown to this server. Check the address of the API, or ask the rental company for another key.',
    advice: 'Check that the key was copied completely, and the address of the API.',
  },
  API_KEY_REVOKED: { status: 401, message: 'This API key was revoked.', advice: otherKey },
  API_KEY_EXPIRED: { status: 401, message: 'This API key has expired.', advice: otherKey },
  SESSION_REQUIRED: {
    status: 401,
    message:
      'A request with an Origin needs a session: send the token of POST /sessions in X-Session-Token.',
    advice: newSession,
  },
  SESSION_INVALID: {
    status: 401,
    message: 'The session token is not valid for this key and origin.',
    advice: newSession,
  },
  SESSION_EXPIRED: {
    status: 401,
    message: 'The session has expired.',
    advice: `${newSession} If the retry of a booking gets this error, the booking may exist: ask the customer to contact the rental company.`,
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    advice: `${addToKey('origin')} A key for websites only also rejects a POST without \`Origin\`; a server needs a key of its own.`,
  },
  SCOPE_NOT_GRANTED: { status: 403, advice: addToKey('scope') },
  TENANT_SUSPENDED: blockedAccount('This account is suspended.'),
  SUBSCRIPTION_CANCELLED: blockedAccount('The subscription of this account was cancelled.'),
  SUBSCRIPTION_PAST_DUE: blockedAccount('A payment for this account is overdue.'),
  MODULE_NOT_ENABLED: blockedAccount('Online booking is not enabled for this account.'),
  QUOTE_SESSION_MISMATCH: {
    status: 403,
    message: 'This quote was created in another session, or without one.',
    advice:
      'Book a quote in the session that created it, or create a new quote. A quote created by a server can be booked only by a server.',
  },
  NOT_FOUND: {
    status: 404,
    advice:
      'The resource does not exist, was archived, or belongs to another key or tenant. Reload the list of asset groups or the extras, or check the booking id.',
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    message: 'There is no quote with this id.',
    advice: 'Book a quote with the key that created it, or create a new quote.',
  },
  METHOD_NOT_ALLOWED: { status: 405, advice: 'The header `Allow` lists the methods of the path.' },
  QUOTE_EXPIRED: {
    status: 409,
    message: 'This quote has expired. Request a new one.',
    advice:
      'Create a new quote, and show its price before booking it, because the price may have changed.',
  },
  QUOTE_ALREADY_USED: {
    status: 409,
    message: 'A booking already exists for this quote.',
    advice:
      'A quote can be booked once. To get its booking, retry the original request within 24 hours with the same `Idempotency-Key` and body. For another booking, create a new quote.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed.',
    advice: 'Retry the request after `Retry-After`, with the same `Idempotency-Key`.',
    retryAfterSeconds: 1,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: `The body is larger than ${bodyBytesMax / 1024} KiB.`,
    advice: `A body may have at most ${bodyBytesMax / 1024} KiB.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json in UTF-8, without a content encoding.',
    advice: 'Check the header `Content-Type`.',
  },
  NO_RATE_AVAILABLE: {
    status: 422,
    advice:
      'Offer other dates: no rate is configured for at least one day of the rental, or the rental is too short; the message has the required days.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      'This Idempotency-Key was used with another body. To get the result of that request, retry it with its original body. For another booking, send a new key.',
    advice: 'This request booked nothing. Send a different body with a different key.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Retry after the number of seconds in Retry-After.',
    advice:
      'Retry the request after `Retry-After`. The `X-RateLimit-*` headers show the limit that was reached.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An internal error occurred.',
    advice:
      'Retry the request, a booking with the same `Idempotency-Key`. If the error remains, report it with its `X-Request-Id`.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'The service is temporarily unavailable. Retry after the number of seconds in Retry-After, with the same Idempotency-Key if the request had one.',
    advice:
      'Retry the request after `Retry-After`. For a booking, send the same `Idempotency-Key`, so that it cannot be booked twice.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errorTable

/** The codes with a message in `errorTable`. */
export type PlainErrorCode = {
  [Code in ErrorCode]: (typeof errorTable)[Code] extends { message: string } ? Code : never
}[ErrorCode]

/** A problem of one field. `path` is dotted, such as `customer.email`. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** A rejected request. The code determines the status, and the message unless one is given. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly details: readonly ErrorDetail[] | undefined

  constructor(code: PlainErrorCode)
  constructor(code: ErrorCode, message: string, details?: readonly ErrorDetail[])
  constructor(code: ErrorCode, message?: string, details?: readonly ErrorDetail[]) {
    super(message ?? errorTable[code as PlainErrorCode].message)
    const facts: ErrorDefinition = errorTable[code]
    this.code = code
    this.status = facts.status
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.details = details
  }
}

/** Why a request gets 503: a label of a metric and a field of its log line (docs/reliability.md). */
export const unavailableReasons = [
  'request_slots',
  'key_slots',
  'database_share',
  'database',
  'catalog_changed',
] as const

type UnavailableReason = (typeof unavailableReasons)[number]

export class Unavailable extends ApiError {
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, message: string = errorTable.SERVICE_UNAVAILABLE.message) {
    super('SERVICE_UNAVAILABLE', message)
    this.reason = reason
  }
}

/**
 * Returns a VALIDATION_ERROR that lists the invalid fields. Its message names the first, because
 * logs often have the message only.
 */
export function validationError(details: readonly ErrorDetail[]): ApiError {
  const [first, ...others] = details
  const problem = `${first?.path || 'the body'} ${first?.message}`
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see details)`
  return new ApiError('VALIDATION_ERROR', `The request is not valid: ${problem}${more}`, details)
}

/**
 * Returns the 404 for an id. Use it for unknown, archived and other tenants' ids alike, so that
 * callers cannot find out which ids exist.
 */
export const notFound = (what: string) =>
  new ApiError('NOT_FOUND', `There is no ${what} with this id.`)
