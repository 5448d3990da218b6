import { z } from 'zod'
import { ignoreBodies } from '../body.ts'
import type { RoutePlugin } from '../fastify.ts'
import { dataOf, dateTimeOut } from '../schemas.ts'
import { validationError } from '../validation.ts'

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

const sessionText = [
  'For browsers only: the token is bound to the key and to the `Origin` that the browser sends. It is needed for quotes and bookings, and valid for one hour. No body is needed.',
  'A quote can only be booked in the session it was made in, and an `Idempotency-Key` is only known there. So send a booking, and each repetition of it, with the token that its quote was made with, even if you have a newer one; and begin it only while that token has longer to live than you would go on repeating. To be on the safe side, make a new session before a quote when less than 35 minutes are left: half an hour for the quote, five to book it.',
  'If a repeated booking gets SESSION_EXPIRED all the same, nobody but the staff can tell what came of it: a new session has no access to the old one, where the booking may have been made. Say so to your visitor, and do not offer them another quote as if nothing had happened. If the first request gets it, nothing was booked: make a new session and a new quote.',
].join('\n\n')

/** POST /sessions: a token for this key and the calling origin (spec.md "Authentication" 5). */
export const createSession: RoutePlugin = async (app, { deps }) => {
  ignoreBodies(app)
  app.post(
    '/sessions',
    {
      config: {
        access: { scope: null, limit: 'sessions', session: false },
        operation: {
          operationId: 'createSession',
          tag: 'booking',
          summary: 'Start a browser session',
          description: sessionText,
          answer: { description: 'The session.', example: { data: example } },
        },
      },
      schema: { response: { 201: dataOf(session) } },
    },
    async ({ caller: { key, origin } }, reply) => {
      if (origin === null) {
        throw validationError([
          { path: 'headers.origin', message: 'is required: browsers send it' },
        ])
      }
      const binding = { apiKeyId: key.id, origin }
      const { token, expiresAt } = await deps.sessionTokens.sign(binding, deps.clock.now())
      reply.code(201)
      return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
    },
  )
}
