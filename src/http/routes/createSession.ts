import { z } from 'zod'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, responseTypes } from '../schemas/values.ts'

const session = z
  .object({
    sessionToken: z.string().meta({ description: 'A JWT, to be sent as `X-Session-Token`.' }),
    expiresAt: responseTypes.dateTime,
  })
  .meta({ id: 'Session' })

const headers = z.looseObject({
  origin: z.string({ error: 'is required: browsers send it' }).meta({
    description: 'The address of the website. Browsers set it automatically.',
    example: 'https://www.example.com',
  }),
})

/** POST /sessions: creates a token for a key and an origin. Accepts any key and any body. */
export const createSession = operation({
  operationId: 'createSession',
  tag: 'booking',
  summary: 'Start a browser session',
  description: [
    'For browsers only: quotes and bookings need the token, which is bound to the key and to the `Origin` that the browser sends. It is valid until `expiresAt`, at most one hour. No body is needed.',
    'Book a quote, and repeat a booking, with the token that the quote was made with, even if you have a newer one; do not start a booking in a session that may expire while you are still retrying it. If the first request gets SESSION_EXPIRED, nothing was booked. If a repeated one does, the booking may have been made, and only the staff can tell: tell the customer so instead of offering another quote.',
  ].join('\n\n'),
  method: 'POST',
  url: `${apiPrefix}/sessions`,
  access: { scope: null, activity: 'sessions', session: false },
  schema: { headers },
  response: {
    status: 201,
    schema: dataOf(session, 'SessionAnswer'),
    description: 'The token, and when it expires.',
    example: {
      sessionToken: 'eyJhbGciOiJIUzI1NiJ9.eyJvcmlnaW4iOiIifQ.c2lnbmF0dXJl',
      expiresAt: '2035-05-20T13:00:00.000Z',
    },
  },
  async handler({ sessionTokens, clock }, { caller, headers }) {
    const binding = { apiKeyId: caller.key.id, origin: headers.origin }
    const { token, expiresAt } = await sessionTokens.sign(binding, clock.now())
    return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
  },
})
