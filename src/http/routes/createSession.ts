import { z } from 'zod'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, responseTypes } from '../schemas/values.ts'

const session = z
  .object({
    sessionToken: z
      .string()
      .meta({ description: 'A JWT. Send it in the `X-Session-Token` header.' }),
    expiresAt: responseTypes.dateTime,
  })
  .meta({ id: 'Session', description: 'A session of a browser.' })

const headers = z.looseObject({
  origin: z.string({ error: 'is required: browsers send it' }).meta({
    description: 'The origin of the website. Browsers set this header automatically.',
    example: 'https://www.example.com',
  }),
})

/** POST /sessions: creates a token for a key and an origin. Accepts any key and any body. */
export const createSession = operation({
  operationId: 'createSession',
  tag: 'booking',
  summary: 'Create a session',
  description: [
    'For browsers only: browsers need a session token for quotes and bookings. The token is bound to the key and to the `Origin` of the request, and is valid until `expiresAt`, at most one hour. No request body is needed.',
    'To book a quote, or to retry the booking, send the session token with which the quote was created, even if you have a newer token. Do not start a booking if the session may expire during your retries.',
    'If the first booking request receives SESSION_EXPIRED, nothing was booked. If a retry receives SESSION_EXPIRED, the booking may exist, and only the staff can find out. Ask the customer to contact the rental company, and do not offer another quote.',
  ].join('\n\n'),
  method: 'POST',
  url: `${apiPrefix}/sessions`,
  access: { scope: null, activity: 'sessions', session: false },
  schema: { headers },
  response: {
    status: 201,
    schema: dataOf(session, 'SessionResponse'),
    description: 'The session token and its expiry time.',
    example: {
      sessionToken: 'eyJhbGciOiJIUzI1NiJ9.eyJvcmlnaW4iOiIifQ.c2lnbmF0dXJl',
      expiresAt: '2035-05-20T13:00:00.000Z',
    },
  },
  async handler({ sessionTokens, now }, { caller, headers }) {
    const binding = { apiKeyId: caller.key.id, origin: headers.origin }
    const { token, expiresAt } = await sessionTokens.sign(binding, now())
    return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
  },
})
