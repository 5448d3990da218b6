import { type ErrorCode, type ErrorDetails, retryableCodes } from './types.ts'

/** The error codes of the API, and the client's own for a missing or unexpected response. */
export type RentalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'UNEXPECTED_ANSWER'

export interface ErrorFacts {
  readonly status: number
  readonly code: RentalErrorCode
  readonly message: string
  readonly details?: ErrorDetails
  readonly retryAfterSeconds?: number | undefined
  readonly limitWindowSeconds?: number | undefined
  readonly requestId?: string | undefined
  readonly outcomeUnknown?: boolean
  readonly cause?: unknown
}

/** Every failed call rejects with this error, except a call that the caller's AbortSignal ended. */
export class RentalApiError extends Error {
  override readonly name = 'RentalApiError'
  /** The HTTP status; 0 without a response. */
  declare readonly status: number
  /** The error code; `NETWORK_ERROR` without a response. */
  declare readonly code: RentalErrorCode
  /** The invalid fields with their paths; empty for most codes. */
  declare readonly details: ErrorDetails
  /** The value of the Retry-After header, if the response had one. */
  declare readonly retryAfterSeconds: number | undefined
  /** The length of the exhausted window of a `RATE_LIMITED` error, from the RateLimit headers. */
  declare readonly limitWindowSeconds: number | undefined
  /** The API's ID of the request; include it when you contact support. */
  declare readonly requestId: string | undefined
  /**
   * True when a booking may have been made, because a request of the attempt got no conclusive
   * response. If the error is also not `retryable`, ask the rental company.
   */
  declare readonly outcomeUnknown: boolean

  constructor({ message, cause, ...facts }: ErrorFacts) {
    super(message, { cause })
    Object.assign(this, { details: [], outcomeUnknown: false, ...facts })
  }

  /** True when a retry with the same attempt may succeed. */
  get retryable(): boolean {
    // Proxies send these without a code of the API.
    const fromServer = [500, 502, 503, 504].includes(this.status)
    return this.code === 'NETWORK_ERROR' || fromServer || retryableCodes.includes(this.code)
  }

  /** Returns a copy of the error with `outcomeUnknown`. */
  withUnknownOutcome(): RentalApiError {
    return new RentalApiError({ ...this, message: this.message, cause: this, outcomeUnknown: true })
  }
}
