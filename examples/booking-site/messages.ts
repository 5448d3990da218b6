import { RentalApiError } from '../../clients/typescript/index.ts'

/** What a visitor is told, and what they can do about it. */
export interface Problem {
  readonly text: string
  /** `new-quote`: this price is of no use any more. */
  readonly remedy: 'retry' | 'new-quote' | 'none'
  /** Not to be tried again before. */
  readonly waitSeconds?: number | undefined
}

const kept = 'Everything you entered is still here.'
const texts: Readonly<Record<string, string>> = {
  NETWORK_ERROR: `We can't reach the booking service. Check your connection. ${kept}`,
  RATE_LIMITED: `We are getting very many requests just now. Please wait a moment. ${kept}`,
  NO_RATE_AVAILABLE:
    'This vehicle has no price for these dates. Choose others, or another vehicle.',
  NOT_FOUND: 'This is no longer offered. Show the vehicles again to see what is.',
  VALIDATION_ERROR: 'Please correct what is marked, then try again.',
}

const quoteTexts: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: `This price has expired. ${kept}`,
  QUOTE_NOT_FOUND: `This price is no longer known. ${kept}`,
  QUOTE_SESSION_MISMATCH: `Your visit was renewed, and this price belongs to the one before. ${kept}`,
  SESSION_EXPIRED: `This page was open for long, and its price is no longer good. ${kept}`,
  QUOTE_ALREADY_USED:
    'This price has been booked already. If you did not mean to book twice, contact us first.',
}

const mayHaveBooked =
  'Your booking may have reached us, but this page can no longer find out. Please contact us before you book again.'

const fieldNames: Readonly<Record<string, string>> = {
  from: 'The pickup',
  pickupDatetime: 'The pickup',
  to: 'The drop-off',
  dropoffDatetime: 'The drop-off',
}

/** Puts any error into words for visitors; of those about fields, what no field shows already. */
export function explain(error: unknown, marked = false): Problem {
  if (!(error instanceof RentalApiError)) {
    return { text: `Something went wrong on this page. ${kept}`, remedy: 'retry' }
  }
  const { code, status, retryAfterSeconds, requestId } = error
  if (error.outcomeUnknown && !error.retryable) return { text: mayHaveBooked, remedy: 'none' }
  const aboutQuote = quoteTexts[code]
  if (aboutQuote !== undefined) return { text: aboutQuote, remedy: 'new-quote' }
  if (code === 'VALIDATION_ERROR' && !marked) return { text: unmarked(error), remedy: 'none' }
  const known = texts[code]
  if (known !== undefined) {
    return {
      text: known,
      remedy: error.retryable ? 'retry' : 'none',
      waitSeconds: retryAfterSeconds,
    }
  }
  if (status === 401 || status === 403) {
    const reference = requestId === undefined ? '' : ` (${code}, ${requestId})`
    return {
      text: `Online booking is not open here. Please contact us${reference}.`,
      remedy: 'none',
    }
  }
  return {
    text: `The booking service is busy. ${kept}`,
    remedy: 'retry',
    waitSeconds: retryAfterSeconds,
  }
}

function unmarked({ details }: RentalApiError): string {
  const sentences = details.map(({ path, message }) => {
    const name = path.replace(/^.*\./, '')
    return `${fieldNames[name] ?? name} ${message}.`
  })
  return ['Please change your choice.', ...sentences].join(' ')
}
