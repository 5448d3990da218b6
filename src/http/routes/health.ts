import { databaseAnswers } from '../../db/client.ts'
import type { RoutePlugin } from '../fastify.ts'

/**
 * GET /healthz: the process is alive, whatever else is. GET /readyz: send requests here, since it
 * reaches its database and is not about to end. Counting without Redis is worth knowing, no more.
 */
export const health: RoutePlugin = async (app, { deps }) => {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    if (deps.lifecycle.draining) return reply.code(503).send({ status: 'draining' })
    if (!(await databaseAnswers(deps.database))) {
      return reply.code(503).send({ status: 'unavailable', database: 'unreachable' })
    }
    const degraded = deps.limiter.degraded?.() === true
    return degraded ? { status: 'ready', redis: 'degraded' } : { status: 'ready' }
  })
}
