import type { BookingAttempt } from './attempt.ts'
import { RentalApiError, type RentalErrorCode } from './errors.ts'
import type { Send } from './http.ts'
import { type Patience, retrying, type Sleep } from './retry.ts'
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
  /** That of the quote: in any other the attempt is another one, and the quote is refused. */
  readonly session: CallSession
  readonly signal: AbortSignal | undefined
}

/**
 * Refusals that are only given to an attempt that has booked nothing. Not `QUOTE_ALREADY_USED`: once
 * the recorded answer is gone, the attempt that booked hears that, too (decision 36).
 */
const finalCodes: readonly RentalErrorCode[] = ['QUOTE_NOT_FOUND', 'QUOTE_EXPIRED']

/**
 * Sends bookings, again where that may help. Whatever ends an attempt that may have booked says so:
 * when its session is over, nothing can be found out any more.
 */
export function createBook({ send, sleep, patience, timeoutSeconds }: BookOptions) {
  const unanswered = new WeakSet<BookingAttempt>()
  const longestSeconds = patience.attemptsMax * timeoutSeconds + patience.waitSecondsMax

  return async ({ body, attempt, session, signal }: Order): Promise<Booking> => {
    const isFirst = !unanswered.has(attempt)
    if (isFirst && session.leftSeconds() < Math.min(longestSeconds, session.lifeSeconds / 2)) {
      throw sessionEndsTooSoon()
    }
    const headers = { ...session.headers, 'Idempotency-Key': attempt.idempotencyKey }
    const once = async () => {
      try {
        return await send({ method: 'POST', path: '/bookings', headers, body, signal })
      } catch (error) {
        if (!isAnswer(error)) unanswered.add(attempt)
        throw error
      }
    }
    try {
      const { data } = await retrying(once, patience, sleep, signal)
      unanswered.delete(attempt)
      return data as Booking
    } catch (error) {
      if (!(error instanceof RentalApiError) || !unanswered.has(attempt)) throw error
      if (!finalCodes.includes(error.code)) throw error.withUnknownOutcome()
      unanswered.delete(attempt)
      throw error
    }
  }
}

/** Whether this request, at least, has certainly booked nothing. */
function isAnswer(error: unknown): boolean {
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
