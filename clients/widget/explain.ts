import { RentalApiError } from '../typescript/index.ts'
import type { Messages } from './messages/en.ts'

/** What a visitor is told, and what they can do about it. */
export interface Problem {
  readonly text: keyof Messages
  /** `new-quote`: this price is of no use any more. */
  readonly remedy?: 'retry' | 'new-quote' | undefined
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
  QUOTE_ALREADY_USED: 'errorUsed',
}
/** Longer than any window but that of a day. */
const minuteWindowSeconds = 120

/** Puts any error into words for visitors; `marked`: fields show what is wrong. */
export function explain(error: unknown, { marked = false, isBooking = false } = {}): Problem {
  if (!(error instanceof RentalApiError)) return { text: 'errorPage', remedy: 'retry' }
  const { code, status, retryable, retryAfterSeconds: waitSeconds = 0, requestId } = error
  const isLong = waitSeconds > minuteWindowSeconds
  // After a long wait the session that can still tell is over. What is marked is mended, and sent again.
  const canTell = marked || (retryable && !isLong)
  if (error.outcomeUnknown && !canTell) return { text: 'errorMayHave' }
  if (/^QUOTE_|^SESSION_(EXPIRED|INVALID)$/.test(code)) {
    return { text: texts[code] ?? 'errorQuote', remedy: 'new-quote' }
  }
  if (code === 'NOT_FOUND' && isBooking) return { text: 'errorUnknown' }
  if (code === 'VALIDATION_ERROR') {
    const tooSoon = error.details.some(({ path }) => path.endsWith('pickupDatetime'))
    if (tooSoon) return { text: 'errorPickup' }
    return { text: marked ? 'errorFields' : 'errorChoice' }
  }
  if (code === 'RATE_LIMITED' && isLong) return { text: 'errorDay' }
  if (texts[code] === undefined && (status === 401 || status === 403)) {
    const reference = ` (${[code, requestId].filter(Boolean).join(', ')})`
    return { text: 'errorClosed', reference }
  }
  const text = texts[code] ?? 'errorBusy'
  const remedy = retryable || text === 'errorBusy' ? 'retry' : undefined
  return { text, remedy, waitSeconds }
}
