import { createBook } from './book.ts'
import { type ClientOptions, type Connection, connect, type RentalClient } from './connection.ts'
import type { HttpRequest } from './http.ts'
import { keepNewest } from './newest.ts'
import {
  type CallSession,
  createSessionManager,
  noSession,
  sessionHeader,
  storedSession,
} from './session.ts'
import type { Quote, Session } from './types.ts'
import { waitUntilDecided } from './waitForDecision.ts'

/**
 * Returns a client for one API key. In a browser it also creates and renews the visitor's session.
 * @throws TypeError for an invalid `baseUrl`
 */
export const createClient = (options: ClientOptions): RentalClient => withBookings(connect(options))

/** Returns a client that sends its requests over a connection. */
export function withBookings(connection: Connection): RentalClient {
  const { reads, patience, timeoutSeconds, session, wait, nowMs, once, send } = connection
  const post = async (path: string, request: Omit<HttpRequest, 'method' | 'path'>) =>
    (await send({ method: 'POST', path, ...request })).data
  // No caller's signal here: other callers may be waiting for the same session.
  const sessions = session
    ? createSessionManager(() => post('/sessions', {}) as Promise<Session>, nowMs)
    : noSession
  const sessionOfQuote = new Map<string, CallSession>()
  const book = createBook({ send: once, sleep: wait, patience, timeoutSeconds })

  return {
    ...reads,
    createQuote: (body, { signal } = {}) =>
      sessions.run(async (session) => {
        const { headers } = session
        const quote = (await post('/quotes', { headers, body, signal })) as Quote
        keepNewest(sessionOfQuote, quote.quoteId, session)
        return quote
      }),
    createBooking: async (body, attempt, { signal } = {}) => {
      const { sessionToken } = attempt
      const own = sessionOfQuote.get(body.quoteId)
      const stored = sessionToken === undefined ? undefined : storedSession(sessionToken)
      const session = own ?? stored ?? (await sessions.current())
      return book({ body, attempt, session, signal, mayBeSent: !own && stored !== undefined })
    },
    sessionTokenOf: (quoteId) => sessionOfQuote.get(quoteId)?.headers[sessionHeader],
    waitForDecision: (id, waiting = {}) =>
      waitUntilDecided(() => reads.getBooking(id, waiting), { sleep: wait, nowMs }, waiting),
  }
}
