import type { FastifyInstance } from 'fastify'
import { databaseCheck } from '../../db/connection/databaseCheck.ts'
import type { Deps } from '../chain/dependencies.ts'

/**
 * GET /healthz: the process is alive, whatever else is. GET /readyz: send requests here, since its
 * database answers and has the tables it expects, open to its role, and it is not about to end. Counting without Redis is worth knowing, no more.
 */
export function health(
  app: FastifyInstance,
  { database, lifecycle, limiter, log }: Pick<Deps, 'database' | 'lifecycle' | 'limiter' | 'log'>,
): void {
  const checkDatabase = databaseCheck(database, (error) =>
    log.warn({ err: error }, 'migrations cannot be checked: the role may not read their record'),
  )

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const unavailable = (why: object) => reply.code(503).send({ status: 'unavailable', ...why })
    if (lifecycle.draining) return reply.code(503).send({ status: 'draining' })
    const state = await checkDatabase()
    if (state === 'migrations pending') return unavailable({ migrations: 'pending' })
    if (state !== 'ready') return unavailable({ database: state })
    return limiter.degraded() ? { status: 'ready', redis: 'degraded' } : { status: 'ready' }
  })
}

/**
 * GET /metrics, for Prometheus. Figures of the whole process and of nobody in particular; whoever
 * forwards requests from outside leaves this path out (`docs/operations.md`).
 */
export function metrics(app: FastifyInstance, { metrics }: Pick<Deps, 'metrics'>): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.text()
  })
}
