import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../../db/connection/database.ts'
import { databaseCheck } from '../../db/connection/databaseCheck.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

interface HealthDeps {
  readonly database: Pick<Database, 'checkPool'>
  readonly lifecycle: { readonly draining: boolean }
  readonly limiter: Pick<Limiter, 'degraded'>
  readonly log: Logger
}

/** See docs/operations.md#upgrades. */
export const keptDefinitions = 'functions and views of a newer release are used'

/**
 * Serves `/healthz` (the process runs) and `/readyz` (the database is usable and the process is not
 * shutting down). A missing Redis is reported but does not fail `/readyz`.
 */
export function health(
  app: FastifyInstance,
  { database, lifecycle, limiter, log }: HealthDeps,
): void {
  const checkDatabase = databaseCheck(database, (error) =>
    log.warn(
      { err: error },
      'migrations not checked: the database role cannot read the migration table',
    ),
  )
  let loggedState = 'ready'
  let loggedRelease: string | undefined

  /** Logs changes only, because load balancers probe every second. */
  async function checkAndLog() {
    const result = await checkDatabase()
    if (result.state !== loggedState) {
      if (result.state === 'ready') log.info('database ready')
      else log.warn(result, 'database not ready')
    }
    loggedState = result.state
    const newerRelease = result.state === 'ready' ? result.newerRelease : undefined
    if (newerRelease !== undefined && newerRelease !== loggedRelease)
      log.warn({ newerRelease }, keptDefinitions)
    loggedRelease = newerRelease
    return result.state
  }

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const unavailable = (why: object) => reply.code(503).send({ status: 'unavailable', ...why })
    if (lifecycle.draining) return reply.code(503).send({ status: 'draining' })
    const state = await checkAndLog()
    if (state === 'pending') return unavailable({ migrations: 'pending' })
    if (state !== 'ready') return unavailable({ database: state })
    return limiter.degraded() ? { status: 'ready', redis: 'degraded' } : { status: 'ready' }
  })
}

const metricsEveryMs = 1_000

/**
 * Serves `/metrics` for Prometheus, rendered at most once a second. Proxies must not forward this
 * path from outside (`docs/operations.md`).
 */
export function metrics(
  app: FastifyInstance,
  { metrics }: { readonly metrics: Pick<Metrics, 'contentType' | 'text'> },
): void {
  let text: Promise<string> | undefined
  app.get('/metrics', async (_request, reply) => {
    if (text === undefined) {
      text = metrics.text()
      setTimeout(() => (text = undefined), metricsEveryMs).unref()
    }
    reply.type(metrics.contentType)
    return text
  })
}
