import { RentalApiError } from '../typescript/index.ts'
import type { Messages } from './messages/en.ts'

/** What a visitor is told, and what they can do about it. */
export interface Problem {
  readonly text: keyof Messages
  /** `new-quote`: this price is of no use any more. */
  readonly remedy: 'retry' | 'new-quote' | 'none'
  /** Not to be tried again before. */
  readonly waitSeconds?: number | undefined
  /** What the staff may be told. */
  readonly reference?: string
}

const texts: Readonly<Record<string, keyof Messages>> = {
  NETWORK_ERROR: 'errorNetwork',
  RATE_LIMITED: 'errorLimit',
  NO_RATE_AVAILABLE: 'errorRate',
  NOT_FOUND: 'errorGone',
}
/** Longer than any window but that of a day. */
const minuteWindowSeconds = 120

/** Puts any error into words for visitors; `marked`: fields show what is wrong. */
export function explain(error: unknown, { marked = false, isBooking = false } = {}): Problem {
  if (!(error instanceof RentalApiError)) return { text: 'errorPage', remedy: 'retry' }
  const { code, status, retryable, retryAfterSeconds: waitSeconds = 0, requestId } = error
  if (error.outcomeUnknown && !retryable) return { text: 'errorMayHave', remedy: 'none' }
  if (/^QUOTE_|^SESSION_EXPIRED$/.test(code)) {
    return { text: code === 'QUOTE_ALREADY_USED' ? 'errorUsed' : 'errorQuote', remedy: 'new-quote' }
  }
  if (code === 'NOT_FOUND' && isBooking) return { text: 'errorUnknown', remedy: 'none' }
  if (code === 'VALIDATION_ERROR') {
    const tooSoon = error.details.some(({ path }) => path.endsWith('pickupDatetime'))
    if (tooSoon) return { text: 'errorPickup', remedy: 'none' }
    return { text: marked ? 'errorFields' : 'errorChoice', remedy: 'none' }
  }
  if (code === 'RATE_LIMITED' && waitSeconds > minuteWindowSeconds) {
    return { text: 'errorDay', remedy: 'none' }
  }
  if (texts[code] === undefined && (status === 401 || status === 403)) {
    const reference = ` (${[code, requestId].filter(Boolean).join(', ')})`
    return { text: 'errorClosed', remedy: 'none', reference }
  }
  const text = texts[code] ?? 'errorBusy'
  return { text, remedy: retryable || text === 'errorBusy' ? 'retry' : 'none', waitSeconds }
}
