import type { RentalApiError } from '../typescript/index.ts'
import type { MessageId } from './messages/en.ts'

/** A message for the visitor, and the remedy that is offered. */
export interface Problem {
  readonly text: MessageId
  /** `new-quote`: this quote can no longer be booked. */
  readonly remedy?: 'retry' | 'new-quote' | undefined
  /** The time until a retry is allowed. */
  readonly waitSeconds?: number | undefined
  /** The shortest rental of a vehicle. */
  readonly days?: number
  /** The error code and request ID, for the rental's staff. */
  readonly reference?: string
}

const texts: Readonly<Record<string, MessageId>> = {
  NETWORK_ERROR: 'errorNetwork',
  RATE_LIMITED: 'errorLimit',
  NO_RATE_AVAILABLE: 'errorRate',
  NOT_FOUND: 'errorGone',
  QUOTE_ALREADY_USED: 'errorUsed',
}
const daySeconds = 86_400
/** The session of an attempt is certainly valid after a wait of this length. */
const sameSessionSeconds = 120

/** Compares the name, because each file of the widget has its own class. */
export const isApiError = (error: unknown): error is RentalApiError =>
  error instanceof Error && error.name === 'RentalApiError'

/** Returns the message and remedy for an error. `marked`: the invalid fields show errors. */
export function explain(error: unknown, { marked = false, isBooking = false } = {}): Problem {
  if (!isApiError(error)) return { text: 'errorPage', remedy: 'retry' }
  const { code, status, retryable, requestId } = error
  const { retryAfterSeconds: waitSeconds = 0, limitWindowSeconds = 0 } = error
  // Only a retry in the same session returns the outcome, and the session expires during a long
  // wait. A form with marked fields is sent again after its correction.
  const canTell = marked || (retryable && waitSeconds <= sameSessionSeconds)
  if (error.outcomeUnknown && !canTell) return { text: 'errorMayHave' }
  if (/^QUOTE_|^SESSION_(EXPIRED|INVALID)$/.test(code)) {
    return { text: texts[code] ?? 'errorQuote', remedy: 'new-quote' }
  }
  if (code === 'NOT_FOUND' && isBooking) return { text: 'errorUnknown' }
  const [detail] = error.details
  // Only rentals that are too short have a detail.
  if (code === 'NO_RATE_AVAILABLE' && detail) {
    return { text: 'errorShort', days: Number.parseInt(detail.message.replace(/\D+/, ''), 10) }
  }
  if (code === 'VALIDATION_ERROR') {
    const isClosed = error.details.some(({ message }) => message.includes('opening hours'))
    if (isClosed) return { text: 'closedTime' }
    const tooSoon = error.details.some(({ path }) => path.endsWith('pickupDatetime'))
    if (tooSoon) return { text: 'errorPickup' }
    return { text: marked ? 'errorFields' : 'errorChoice' }
  }
  if (limitWindowSeconds >= daySeconds) return { text: 'errorDay' }
  if (texts[code] === undefined && (status === 401 || status === 403)) {
    const reference = ` (${[code, requestId].filter(Boolean).join(', ')})`
    return { text: 'errorClosed', reference }
  }
  const text = texts[code] ?? 'errorBusy'
  const remedy = retryable || text === 'errorBusy' ? 'retry' : undefined
  return { text, remedy, waitSeconds }
}
