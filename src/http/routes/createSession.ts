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
          description:
            'For browsers only: the token is bound to the key and to the `Origin` that the browser sends. It is needed for quotes and bookings, and valid for one hour. No body is needed.',
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
