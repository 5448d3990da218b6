import { validationError } from '../../domain/errors.ts'
import { ignoreBodies } from '../door/body.ts'
import type { RoutePlugin } from '../fastify.ts'
import { createSessionDeclaration } from '../schemas/createSession.ts'

/**
 * POST /sessions: a token for this key and the calling origin. Any key will do (decision 17), and any
 * body (18).
 */
export const createSession: RoutePlugin = async (app, { deps }) => {
  ignoreBodies(app)
  app.post('/sessions', createSessionDeclaration, async ({ caller: { key, origin } }, reply) => {
    if (origin === null) {
      throw validationError([{ path: 'headers.origin', message: 'is required: browsers send it' }])
    }
    const binding = { apiKeyId: key.id, origin }
    const { token, expiresAt } = await deps.sessionTokens.sign(binding, deps.clock.now())
    reply.code(201)
    return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
  })
}
