import type { Logger } from 'pino'
import { sessionTokens } from '../auth/sessionTokens.ts'
import { recordKeyUses } from '../cache/keyUses.ts'
import { openCaches } from '../cache/openCaches.ts'
import type { Config } from '../config/environment.ts'
import { version } from '../config/projectRoot.ts'
import { loadSessionSecrets } from '../config/sessionSecrets.ts'
import { closeDatabase, openDatabase } from '../db/connection/database.ts'
import { requestTimeouts } from '../db/connection/timeouts.ts'
import { rentalCounter } from '../db/queries/bookings/availability.ts'
import { quoteStore } from '../db/queries/quotes/storeQuote.ts'
import { visitorIds } from '../http/chain/clientNetwork.ts'
import type { DemoAccess } from '../http/pages/filledPages.ts'
import { openLimiter } from '../limiter/openLimiter.ts'
import { openMetrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../tracing/tracing.ts'

export type Deps = Awaited<ReturnType<typeof openDependencies>>['deps']

/**
 * Opens the dependencies of the application. The database at `url` must be migrated. `onTransfer` is
 * called while `rental transfer` copies the database, also later. `now` is the only source of the
 * current time; tests replace it.
 */
export async function openDependencies(
  config: Config,
  url: string,
  log: Logger,
  now = () => new Date(),
  onTransfer = () => {},
) {
  const metrics = openMetrics()
  const database = openRequestDatabase(config, url, log)
  const tracing = await openTracingIfEnabled(config, log)
  for (const { pool } of [database, database.pipeline]) tracing?.traceDatabase(pool)
  const { limiter, closeLimiter } = await openLimiter(config, log, now)
  const secrets = await loadSessionSecrets(config.sessionSecrets, config.dataDir)
  const caches = await openCaches({ config, database, databaseUrl: url, metrics, onTransfer })
  const keyUses = recordKeyUses(database, (error) =>
    log.warn({ err: error }, 'storing the last use of API keys failed'),
  )
  /** The state of the process. Shutdown begins by setting `draining`. */
  const lifecycle: { draining: boolean; demo?: DemoAccess } = { draining: false }
  metrics.watch({
    pool: database.pool,
    degraded: () => limiter.degraded(),
    draining: () => lifecycle.draining,
  })
  const deps = {
    config,
    database,
    keys: caches.keys,
    keyUses,
    catalogs: caches.catalogs,
    countRental: rentalCounter(database),
    storeQuote: quoteStore(database),
    limiter: tracing?.traceLimiter(limiter) ?? limiter,
    sessionTokens: await sessionTokens(secrets, config.sessionTtlSeconds),
    visitorId: visitorIds(secrets[0] ?? ''),
    now,
    log,
    metrics,
    tracing,
    lifecycle,
  }
  return {
    deps,
    /** Closes the connections. Call it after the last response. */
    async close() {
      await Promise.all([caches.close(), keyUses.close()])
      await closeDatabase(database)
      closeLimiter()
    },
  }
}

function openRequestDatabase(config: Config, url: string, log: Logger) {
  return openDatabase({
    ...config,
    url,
    poolMax: config.databasePoolMax,
    timeouts: requestTimeouts,
    plans: 'byIndex',
    onConnectionLost: (error) => log.warn({ err: error }, 'database connection lost'),
  })
}

/** Imports on demand, so that the libraries are not loaded otherwise. */
async function openTracingIfEnabled(
  { tracing, traceparent }: Config,
  log: Logger,
): Promise<Tracing | undefined> {
  if (tracing === 'unsupported') {
    log.warn('tracing is off: only OTLP over http/protobuf is supported')
  }
  if (tracing !== 'otlp') return undefined
  const { openTracing } = await import('../tracing/tracing.ts')
  return openTracing(version, traceparent)
}
