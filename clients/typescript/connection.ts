import type { BookingAttempt } from './attempt.ts'
import { createCachedGet } from './cachedGet.ts'
import { createSend, type Fetch, type Send } from './http.ts'
import { type Patience, type Sleep, sleep, withRetries } from './retry.ts'
import type {
  AssetGroup,
  Availability,
  Booking,
  BookingRequest,
  Quote,
  QuoteRequest,
  Rate,
} from './types.ts'
import type { WaitOptions } from './waitForDecision.ts'

export interface ClientOptions {
  /** The address of the API, with or without `/api/v1`. */
  readonly baseUrl: string
  /** A publishable key, `pk_live_...`. */
  readonly apiKey: string
  /** The preferred language of names and descriptions, as a BCP 47 tag or several, separated by
   * commas. Default: the browser's. */
  readonly language?: string
  /** Whether calls need a session. Default: true in browsers, false elsewhere. */
  readonly session?: boolean
  /** The retry limits of one call. Default: 5 requests with 60 seconds of waiting between them. */
  readonly patience?: Partial<Patience>
  /** The time limit of one request. Default: 20. */
  readonly timeoutSeconds?: number
  /** Sends the requests. Default: the global fetch. */
  readonly fetch?: Fetch
  /** Waits between requests and polls, in seconds. Default: a timer. */
  readonly sleep?: Sleep
  /** A clock, used only for elapsed time; it need not show the correct time. Default: Date.now. */
  readonly nowMs?: () => number
}

/** Options of one call. An aborted `signal` ends the call: the promise rejects with its reason. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** A range of time. Its ends are RFC 3339 date-times with an offset, such as `2035-06-01T10:00:00+02:00`. */
export interface DateTimeRange {
  /** The start, with an offset. A date alone, such as `2035-06-01`, is rejected. */
  readonly from: string
  /** The end, exclusive, with an offset: later than `from`, by at most 366 days. */
  readonly to: string
}

/**
 * The operations of the API, and polling for a decision. Failed calls reject with RentalApiError,
 * whose `message` is a sentence about the reason and whose `code` is for programs.
 */
export interface RentalClient {
  /** Lists all asset groups (vehicle classes). May be 30 seconds old. */
  listAssetGroups(options?: CallOptions): Promise<readonly AssetGroup[]>
  /** Lists the rates of an asset group, for display only: a quote has the price that can be booked. */
  listRates(assetGroupId: string, options?: CallOptions): Promise<readonly Rate[]>
  /**
   * Counts the vehicles that are available during the whole range. Reserves nothing.
   * @throws RentalApiError `VALIDATION_ERROR` for a date-time without an offset
   */
  getAvailability(
    assetGroupId: string,
    range: DateTimeRange,
    options?: CallOptions,
  ): Promise<Availability>
  /**
   * Creates a binding price, valid until `expiresAt` (usually 30 minutes). Reserves no vehicle: call
   * `getAvailability` before.
   * @throws RentalApiError `NO_RATE_AVAILABLE` if a day of the rental has no rate
   */
  createQuote(request: QuoteRequest, options?: CallOptions): Promise<Quote>
  /**
   * Books a quote. Create the attempt with `newBookingAttempt`; pass the same one on every retry.
   * @throws RentalApiError with `outcomeUnknown` if the booking may exist in spite of the error
   */
  createBooking(
    request: BookingRequest,
    attempt: BookingAttempt,
    options?: CallOptions,
  ): Promise<Booking>
  /**
   * Returns the token of the session in which this client created the quote. Store it with the attempt
   * and the request to send the booking again after a reload.
   */
  sessionTokenOf(quoteId: string): string | undefined
  /** Returns a booking that was created with the same API key. */
  getBooking(bookingId: string, options?: CallOptions): Promise<Booking>
  /**
   * Polls until the booking is no longer pending, or until the deadline, and returns the booking.
   * After a retryable error polling continues.
   */
  waitForDecision(bookingId: string, options?: WaitOptions): Promise<Booking>
  /**
   * Returns the language of the latest names and descriptions, for `lang` attributes. Null before the
   * first ones, and if the rental company has no translations.
   */
  contentLanguage(): string | null
}

/** The operations that need no session. */
export type Reads = Pick<
  RentalClient,
  'listAssetGroups' | 'listRates' | 'getAvailability' | 'getBooking' | 'contentLanguage'
>

/** The reads of one API key, and what its other operations send requests with. */
export interface Connection {
  readonly reads: Reads
  readonly patience: Patience
  readonly timeoutSeconds: number
  readonly session: boolean
  readonly wait: Sleep
  nowMs(): number
  /** Sends a request without retries. */
  once: Send
  send: Send
}

/** @throws TypeError for an invalid `baseUrl` */
export function connect(options: ClientOptions): Connection {
  // Only pages and web workers send an Origin header; Deno and React Native do not.
  const { origin } = globalThis as { origin?: string }
  const isPage = 'document' in globalThis || /:/.test(origin as string)
  const { session = isPage, timeoutSeconds = 20, sleep: wait = sleep } = options
  const nowMs = options.nowMs ?? Date.now
  const patience = { attemptsMax: 5, waitSecondsMax: 60, ...options.patience }
  // Browsers throw when fetch is called as a method of another object.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const exchange = createSend({ ...options, fetch, timeoutSeconds })
  let contentLanguage: string | null = null
  const once: Send = async (request) => {
    const response = await exchange(request)
    contentLanguage = response.language ?? contentLanguage
    return response
  }
  const send: Send = (request) => withRetries(() => once(request), patience, wait, request.signal)
  const get = createCachedGet(send)
  const group = (id: string) => `/asset-groups/${encodeURIComponent(id)}`
  const reads: Reads = {
    listAssetGroups: ({ signal } = {}) => get<AssetGroup[]>({ path: '/asset-groups', signal }),
    listRates: (id, { signal } = {}) => get<Rate[]>({ path: `${group(id)}/rates`, signal }),
    getAvailability: async (id, range, { signal } = {}) => {
      // Without types, a missing range gets the API's message.
      const { from, to } = { ...range }
      const path = `${group(id)}/availability?${new URLSearchParams({ from, to })}`
      return (await send({ method: 'GET', path, signal })).data as Availability
    },
    getBooking: (id, { signal } = {}) =>
      get<Booking>({ path: `/bookings/${encodeURIComponent(id)}`, signal }),
    contentLanguage: () => contentLanguage,
  }
  return { reads, patience, timeoutSeconds, session, wait, nowMs, once, send }
}
