import type { BookingAttempt } from './attempt.ts'
import { RentalApiError, type RentalErrorCode } from './errors.ts'
import type { Send } from './http.ts'
import { type Patience, type Sleep, withRetries } from './retry.ts'
import type { CallSession } from './session.ts'
import type { Booking, BookingRequest } from './types.ts'

interface BookOptions {
  readonly send: Send
  readonly sleep: Sleep
  readonly patience: Patience
  readonly timeoutSeconds: number
}

interface Order {
  readonly body: BookingRequest
  readonly attempt: BookingAttempt
  /** The session that created the quote. The API rejects the quote in any other session. */
  readonly session: CallSession
  /** Whether an earlier client may have sent the attempt. */
  readonly mayBeSent: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Errors that prove that the attempt has booked nothing. `QUOTE_ALREADY_USED` is no proof: the
 * attempt that booked also receives it, once its recorded response has been deleted.
 */
const finalCodes: readonly RentalErrorCode[] = ['QUOTE_NOT_FOUND', 'QUOTE_EXPIRED']

/**
 * Returns a function that sends a booking and retries it. If the attempt may have booked in spite of
 * an error, the error has `outcomeUnknown`.
 */
export function createBook({ send, sleep, patience, timeoutSeconds }: BookOptions) {
  const uncertainAttempts = new WeakSet<BookingAttempt>()
  const longestSeconds = patience.attemptsMax * timeoutSeconds + patience.waitSecondsMax

  return async ({ body, attempt, session, mayBeSent, signal }: Order): Promise<Booking> => {
    if (mayBeSent) uncertainAttempts.add(attempt)
    const isFirst = !uncertainAttempts.has(attempt)
    // A retry needs the session of the first request, so the session must outlast all retries.
    if (isFirst && session.leftSeconds() < Math.min(longestSeconds, session.lifeSeconds / 2)) {
      throw sessionEndsTooSoon()
    }
    const headers = { ...session.headers, 'Idempotency-Key': attempt.idempotencyKey }
    const once = async () => {
      try {
        return await send({ method: 'POST', path: '/bookings', headers, body, signal })
      } catch (error) {
        if (!isRejection(error)) uncertainAttempts.add(attempt)
        throw error
      }
    }
    try {
      const { data } = await withRetries(once, patience, sleep, signal)
      uncertainAttempts.delete(attempt)
      return data as Booking
    } catch (error) {
      if (!(error instanceof RentalApiError) || !uncertainAttempts.has(attempt)) throw error
      if (!finalCodes.includes(error.code)) throw error.withUnknownOutcome()
      uncertainAttempts.delete(attempt)
      throw error
    }
  }
}

/** Reports whether the error proves that this one request has booked nothing. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof RentalApiError) || error.code === 'REQUEST_IN_PROGRESS') return false
  return error.status >= 400 && error.status < 500
}

function sessionEndsTooSoon(): RentalApiError {
  return new RentalApiError({
    status: 0,
    code: 'SESSION_EXPIRED',
    message: 'The session ends too soon: get a new quote.',
  })
}
