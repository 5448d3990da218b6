import { z } from 'zod'
import { type Declaration, dataOf, dateTimeOut } from './values.ts'

const session = z
  .object({
    sessionToken: z.string().describe('A JWT, to be sent as `X-Session-Token`.'),
    expiresAt: dateTimeOut,
  })
  .meta({ id: 'Session' })

const example: z.infer<typeof session> = {
  sessionToken: 'eyJhbGciOiJIUzI1NiJ9.eyJvcmlnaW4iOiIifQ.c2lnbmF0dXJl',
  expiresAt: '2027-05-20T13:00:00.000Z',
}

const description = [
  'For browsers only: the token is bound to the key and to the `Origin` that the browser sends. Quotes and bookings need it. It is valid for one hour. No body is needed.',
  'A quote can only be booked in the session it was made in, and an `Idempotency-Key` is only known there. So send a booking, and each repetition of it, with the token that its quote was made with, even if you have a newer one. Begin it only while that token lives longer than you would go on repeating. To be safe, create a new session before a quote when less than 35 minutes are left: half an hour for the quote, five minutes to book it.',
  'If a repeated booking gets SESSION_EXPIRED all the same, only the staff can tell what became of it: the booking may have been made in the old session, which a new one cannot read. Tell your visitor so, and do not offer another quote as if nothing had happened. If the first request gets SESSION_EXPIRED, nothing was booked: create a new session and a new quote.',
].join('\n\n')

/** POST /sessions, as it is described and held to. */
export const createSessionDeclaration = {
  config: {
    access: { scope: null, limit: 'sessions', session: false },
    operation: {
      operationId: 'createSession',
      tag: 'booking',
      summary: 'Start a browser session',
      description,
      answer: { description: 'The session.', example: { data: example } },
    },
  },
  schema: { response: { 201: dataOf(session) } },
} satisfies Declaration
