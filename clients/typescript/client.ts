import type { BookingAttempt } from './attempt.ts'
import { createBook } from './book.ts'
import { createCachedGet } from './cachedGet.ts'
import { createSend, type Fetch, type HttpRequest } from './http.ts'
import { keepNewest } from './newest.ts'
import { type Patience, retrying, type Sleep, sleep } from './retry.ts'
import { type CallSession, keepSession, noSession } from './session.ts'
import type {
  AssetGroup,
  Availability,
  Booking,
  BookingRequest,
  Quote,
  QuoteRequest,
  Rate,
  Session,
} from './types.ts'
import { type WaitOptions, waitUntilDecided } from './waitForDecision.ts'

export interface ClientOptions {
  /** Where the API is, with `/api/v1` or without. */
  readonly baseUrl: string
  /** A publishable key, `pk_live_...`. */
  readonly apiKey: string
  /** Whether calls need a session, as they do from a browser. Default: found out. */
  readonly session?: boolean
  /** Default: 5 requests and 60 seconds of waiting between them for one call. */
  readonly patience?: Partial<Patience>
  /** How long one request may take. Default: 20. */
  readonly timeoutSeconds?: number
  readonly fetch?: Fetch
  readonly sleep?: Sleep
  /** Tells how much time has passed; it need not be right. Default: Date.now. */
  readonly nowMs?: () => number
}

/** Ends a call early; the promise rejects with the signal's reason. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** The seven operations of the API, and waiting. All throw RentalApiError. */
export interface RentalClient {
  listAssetGroups(options?: CallOptions): Promise<readonly AssetGroup[]>
  listRates(assetGroupId: string, options?: CallOptions): Promise<readonly Rate[]>
  getAvailability(
    assetGroupId: string,
    range: { readonly from: string; readonly to: string },
    options?: CallOptions,
  ): Promise<Availability>
  createQuote(request: QuoteRequest, options?: CallOptions): Promise<Quote>
  /**
   * The attempt comes from `newBookingAttempt`: pass the same one to try the same booking again.
   */
  createBooking(
    request: BookingRequest,
    attempt: BookingAttempt,
    options?: CallOptions,
  ): Promise<Booking>
  getBooking(bookingId: string, options?: CallOptions): Promise<Booking>
  /**
   * Polls until the booking is no longer pending, or the deadline: then it is as it stands, pending.
   * Passing trouble is sat out.
   */
  waitForDecision(bookingId: string, options?: WaitOptions): Promise<Booking>
}

/** A client for one API key; in a browser for one visitor, whose session it keeps. */
export function createClient(options: ClientOptions): RentalClient {
  // Requests of pages and web workers say where they are from; Deno's and React Native's do not.
  const { origin } = globalThis as { origin?: string }
  const isPage = 'document' in globalThis || /:/.test(origin as string)
  const { session = isPage, timeoutSeconds = 20, sleep: wait = sleep } = options
  const nowMs = options.nowMs ?? Date.now
  const patience = { attemptsMax: 5, waitSecondsMax: 60, ...options.patience }
  // Browsers refuse to run fetch as a method of something else.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const once = createSend({ ...options, fetch, timeoutSeconds })
  const send = (request: HttpRequest) =>
    retrying(() => once(request), patience, wait, request.signal)
  const get = createCachedGet(send)
  const post = async (path: string, request: Omit<HttpRequest, 'method' | 'path'>) =>
    (await send({ method: 'POST', path, ...request })).data
  // Not ended by a caller's signal: other callers may be waiting for the same session.
  const sessions = session
    ? keepSession(() => post('/sessions', {}) as Promise<Session>, nowMs)
    : noSession
  const sessionOfQuote = new Map<string, CallSession>()
  const book = createBook({ send: once, sleep: wait, patience, timeoutSeconds })
  const group = (id: string) => `/asset-groups/${encodeURIComponent(id)}`
  const getBooking = (id: string, { signal }: CallOptions = {}) =>
    get<Booking>({ path: `/bookings/${encodeURIComponent(id)}`, signal })

  return {
    listAssetGroups: ({ signal } = {}) => get<AssetGroup[]>({ path: '/asset-groups', signal }),
    listRates: (id, { signal } = {}) => get<Rate[]>({ path: `${group(id)}/rates`, signal }),
    getAvailability: async (id, { from, to }, { signal } = {}) => {
      const path = `${group(id)}/availability?${new URLSearchParams({ from, to })}`
      return (await send({ method: 'GET', path, signal })).data as Availability
    },
    createQuote: (body, { signal } = {}) =>
      sessions.run(async (session) => {
        const { headers } = session
        const quote = (await post('/quotes', { headers, body, signal })) as Quote
        keepNewest(sessionOfQuote, quote.quoteId, session)
        return quote
      }),
    createBooking: async (body, attempt, { signal } = {}) => {
      const session = sessionOfQuote.get(body.quoteId) ?? (await sessions.current())
      return book({ body, attempt, session, signal })
    },
    getBooking,
    waitForDecision: (id, waiting = {}) =>
      waitUntilDecided(() => getBooking(id, waiting), { sleep: wait, nowMs }, waiting),
  }
}
