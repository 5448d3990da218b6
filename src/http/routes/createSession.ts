import { ignoreBodies } from '../door/body.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { createSessionDeclaration } from '../schemas/createSession.ts'

/** POST /sessions: a token for key and origin. Any key (decision 17) and any body (18) will do. */
export const createSession: RoutePlugin = async (app, { deps }) => {
  ignoreBodies(app)
  typed(app).post('/sessions', createSessionDeclaration, async ({ caller, headers }, reply) => {
    const binding = { apiKeyId: caller.key.id, origin: headers.origin }
    const { token, expiresAt } = await deps.sessionTokens.sign(binding, deps.clock.now())
    reply.code(201)
    return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
  })
}
