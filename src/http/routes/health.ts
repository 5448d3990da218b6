import type { RoutePlugin } from '../fastify.ts'

/** GET /healthz: the process is alive. GET /readyz: it can serve, that is, it reaches its database. */
export const health: RoutePlugin = async (app, { deps }) => {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    try {
      await deps.database.pool.query('select 1')
      return { status: 'ready' }
    } catch {
      reply.code(503)
      return { status: 'unavailable', database: 'unreachable' }
    }
  })
}
