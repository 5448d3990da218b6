import { type ErrorCode, type ErrorDetails, retryableCodes } from './types.ts'

/** What the API calls its errors, and what this client calls those that no answer named. */
export type RentalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'UNEXPECTED_ANSWER'

/** What of an answer an error is made from. */
export interface ErrorFacts {
  readonly status: number
  readonly code: RentalErrorCode
  readonly message: string
  readonly details?: ErrorDetails
  readonly retryAfterSeconds?: number | undefined
  readonly requestId?: string | undefined
  readonly outcomeUnknown?: boolean
  readonly cause?: unknown
}

/** Everything that can go wrong with a call, except that its own AbortSignal ended it. */
export class RentalApiError extends Error {
  override readonly name = 'RentalApiError'
  /** The HTTP status; 0 when there was no answer. */
  declare readonly status: number
  /** Says what to do; `NETWORK_ERROR` when there was no answer. */
  declare readonly code: RentalErrorCode
  /** The fields the error is about, each by its path; empty for most codes. */
  declare readonly details: ErrorDetails
  /** How long the API asks to wait, when it does. */
  declare readonly retryAfterSeconds: number | undefined
  /** The API's name for the request; quote it when you contact support. */
  declare readonly requestId: string | undefined
  /**
   * True when a booking may have been made all the same: an earlier request of the attempt got no
   * answer. If it is not `retryable` either, only the rental's staff can tell.
   */
  declare readonly outcomeUnknown: boolean

  constructor({ message, cause, ...facts }: ErrorFacts) {
    super(message, { cause })
    Object.assign(this, { details: [], outcomeUnknown: false, ...facts })
  }

  /** True when the same request, sent again later with the same attempt, may well succeed. */
  get retryable(): boolean {
    // 502 and 504 come from proxies on the way, in place of our 503.
    const fromProxy = [502, 503, 504].includes(this.status)
    return this.code === 'NETWORK_ERROR' || fromProxy || retryableCodes.includes(this.code)
  }

  /** The same error of an attempt that may have booked. */
  withUnknownOutcome(): RentalApiError {
    return new RentalApiError({ ...this, message: this.message, cause: this, outcomeUnknown: true })
  }
}
