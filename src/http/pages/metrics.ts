import { forOperators, type RoutePlugin } from '../fastify.ts'

/**
 * GET /metrics, for Prometheus. Figures of the whole process and of nobody in particular; whoever
 * forwards requests from outside leaves this path out (`docs/operations.md`).
 */
export const metrics: RoutePlugin = async (app, { deps }) => {
  app.get('/metrics', forOperators, async (_request, reply) => {
    reply.type(deps.metrics.contentType)
    return deps.metrics.text()
  })
}
