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
  expiresAt: '2035-05-20T13:00:00.000Z',
}

const description = [
  'For browsers only: quotes and bookings need the token, which is bound to the key and to the `Origin` that the browser sends. It is valid until `expiresAt`, at most one hour. No body is needed.',
  'Book a quote, and repeat a booking, with the token that the quote was made with, even if you have a newer one; do not start a booking in a session that may expire while you are still retrying it. If the first request gets SESSION_EXPIRED, nothing was booked. If a repeated one does, the booking may have been made, and only the staff can tell: tell the customer so instead of offering another quote.',
].join('\n\n')

const headers = z.looseObject({
  origin: z.string({ error: 'is required: browsers send it' }).meta({
    description: 'The address of the website. Browsers set it automatically.',
    examples: ['https://www.example.com'],
  }),
})

/** POST /sessions, as it is described and held to. */
export const createSessionDeclaration = {
  config: {
    access: { scope: null, limit: 'sessions', session: false },
    operation: {
      operationId: 'createSession',
      tag: 'booking',
      summary: 'Start a browser session',
      description,
      answer: { description: 'The token, and when it expires.', example: { data: example } },
    },
  },
  schema: { headers, response: { 201: dataOf(session, 'SessionAnswer') } },
} satisfies Declaration
