import type { Logger } from 'pino'
import { sessionTokens } from './auth/sessionTokens.ts'
import { rememberKeyUses } from './cache/keyUses.ts'
import { openCaches } from './cache/openCaches.ts'
import type { Config } from './config.ts'
import { closeDatabase, openDatabase } from './db/client.ts'
import { quoteStore } from './db/quotes.ts'
import { requestTimeouts } from './db/timeouts.ts'
import type { Clock, Deps } from './deps.ts'
import { localLimiter } from './limiter/localLimiter.ts'
import { openRedis, redisRefusal, redisTrouble } from './limiter/openRedis.ts'
import { redisLimiter } from './limiter/redisLimiter.ts'
import { resilientLimiter, trial } from './limiter/resilientLimiter.ts'
import { type Metrics, openMetrics } from './metrics/metrics.ts'
import { version } from './projectRoot.ts'
import { loadSessionSecrets } from './secrets.ts'
import type { Tracing } from './tracing/tracing.ts'

const systemClock: Clock = { now: () => new Date() }

/** Opens what the configuration names; the database is at `url`, already migrated. */
export async function openDeps(config: Config, url: string, log: Logger, clock = systemClock) {
  const metrics = openMetrics()
  const database = openRequestDatabase(config, url, log)
  const tracing = await openTracing(config, log)
  for (const { pool } of [database, database.pipeline]) tracing?.traceDatabase(pool)
  const { limiter, closeLimiter } = await openLimiter(config, log, clock, metrics)
  const secrets = await loadSessionSecrets(config.sessionSecrets, config.dataDir)
  const caches = openCaches({ config, database, databaseUrl: url, metrics })
  const keyUses = rememberKeyUses(database, (error) =>
    log.warn({ err: error }, 'uses of keys not recorded'),
  )
  const lifecycle = { draining: false }
  metrics.watch({
    pool: database.pool,
    degraded: () => limiter.degraded(),
    draining: () => lifecycle.draining,
  })
  const deps: Deps = {
    config,
    database,
    keys: caches.keys,
    keyUses,
    catalogs: caches.catalogs,
    storeQuote: quoteStore(database),
    limiter: tracing?.traceLimiter(limiter) ?? limiter,
    sessionTokens: await sessionTokens(secrets, config.sessionTtlSeconds),
    clock,
    log,
    metrics,
    tracing,
    lifecycle,
  }
  return {
    deps,
    /** Ends the connections; to be called when the last request was answered. */
    async close() {
      await Promise.all([caches.close(), keyUses.close()])
      await closeDatabase(database)
      closeLimiter()
    },
  }
}

function openRequestDatabase(config: Config, url: string, log: Logger) {
  return openDatabase({
    url,
    poolMax: config.databasePoolMax,
    preparedStatements: config.preparedStatements,
    timeouts: requestTimeouts,
    plans: 'byIndex',
    onConnectionLost: (error) => log.warn({ err: error }, 'database connection lost'),
  })
}

/** Costs nothing unless it is asked for: not even its libraries are loaded. */
async function openTracing({ tracing }: Config, log: Logger): Promise<Tracing | undefined> {
  if (tracing === 'unsupported') {
    log.warn('tracing is off: only OTLP over http/protobuf is spoken')
  }
  if (tracing !== 'otlp') return undefined
  const { openTracing } = await import('./tracing/tracing.ts')
  return openTracing(version)
}

async function openLimiter(config: Config, log: Logger, clock: Clock, metrics: Metrics) {
  const decided = (countedIn: 'redis' | 'process') => (limit: string, allowed: boolean) => {
    const decision = allowed ? 'allowed' : 'refused'
    metrics.limiterDecisions.of({ limit, decision, counted_in: countedIn }).value += 1
  }
  const local = localLimiter(clock.now, decided('process'))
  if (config.redisUrl === undefined) return { limiter: local, closeLimiter: () => {} }
  const { failed, answered, counted } = warnOfRedis(log)
  let failure: Error | undefined
  const redis = await openRedis({
    url: config.redisUrl,
    commandTimeoutMs: config.redisTimeoutMs,
    onError: (error) => {
      // The first says why; those after it say that the connection is closed.
      failure ??= error
      log.debug({ err: error }, 'redis connection failed')
      if (redisRefusal(error) !== undefined) failed(error)
    },
  })
  const absent = redis.status !== 'ready'
  if (absent) failed(failure)
  const decidedInRedis = decided('redis')
  const shared = redisLimiter(redis, (limit, allowed) => {
    if (limit === trial.name) return
    counted()
    decidedInRedis(limit, allowed)
  })
  const limiter = resilientLimiter({
    shared,
    local,
    now: clock.now,
    absent,
    onChange: (failure) => (failure === undefined ? answered() : failed(failure)),
  })
  return { limiter, closeLimiter: () => redis.disconnect() }
}

/**
 * One line when counting changes over. A refusal does not pass by itself, and is told once, in place
 * of what follows from it: that the connection is closed.
 */
function warnOfRedis(log: Logger) {
  let told: 'nothing' | 'away' | 'refused' = 'nothing'
  const answered = () => {
    if (told !== 'nothing') log.info('limits are counted in Redis again')
    told = 'nothing'
  }
  return {
    failed(failure: unknown): void {
      const refusal = redisRefusal(failure)
      const state = refusal === undefined ? 'away' : 'refused'
      if (told === state || told === 'refused') return
      told = state
      const reason = refusal ?? redisTrouble(failure)
      if (state === 'away') {
        log.warn({ reason }, 'limits are counted in the process: Redis does not answer')
      } else log.warn({ reason }, 'limits are counted in the process: Redis refuses')
    },
    answered,
    /** A connection may be refused and mended while nobody asks, and counting never changes over. */
    counted(): void {
      if (told === 'refused') answered()
    },
  }
}
