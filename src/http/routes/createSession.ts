import { z } from 'zod'
import { ignoreBodies } from '../body.ts'
import type { RoutePlugin } from '../fastify.ts'
import { answerSchema, dataOf } from '../schemas.ts'
import { validationError } from '../validation.ts'

const session = z.object({ sessionToken: z.string(), expiresAt: z.string() })

/** POST /sessions: a token for this key and the calling origin (spec.md "Authentication" 5). */
export const createSession: RoutePlugin = async (app, { deps }) => {
  ignoreBodies(app)
  app.post(
    '/sessions',
    {
      config: { access: { scope: null, limit: 'sessions', session: false } },
      schema: { response: { 201: answerSchema(dataOf(session)) } },
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
