import type { Logger } from 'pino'
import { keyCache, keyCacheTimes } from './auth/keyCache.ts'
import { type SessionTokens, sessionTokens } from './auth/sessionTokens.ts'
import type { Config } from './config.ts'
import { listenForAccessChanges } from './db/accessChanges.ts'
import { closeDatabase, type Database, openDatabase } from './db/client.ts'
import { findKey, type KeyRecord } from './db/keys.ts'
import { requestTimeouts } from './db/timeouts.ts'
import { openRedis } from './redis/client.ts'
import { type Limiter, redisLimiter } from './redis/limiter.ts'
import { localLimiter } from './redis/localLimiter.ts'
import { resilientLimiter } from './redis/resilientLimiter.ts'
import { loadSessionSecrets } from './secrets.ts'

/** The only source of the present: tests advance theirs. */
export interface Clock {
  now(): Date
}

const systemClock: Clock = { now: () => new Date() }

/** Everything the application needs from outside, passed in as one plain object. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** The key with this SHA-256 and its tenant, whatever their state; remembered for a while. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined> | KeyRecord | undefined
  readonly limiter: Limiter
  readonly sessionTokens: SessionTokens
  readonly clock: Clock
  readonly log: Logger
  readonly lifecycle: Lifecycle
}

/** Where the process is in its life; shutting down begins with `draining`. */
export interface Lifecycle {
  draining: boolean
}

export interface OpenDeps {
  readonly deps: Deps
  /** Ends the connections; to be called when the last request was answered. */
  close(): Promise<void>
}

/** Opens what the configuration names; the database is at `databaseUrl`, already migrated. */
export async function openDeps(
  config: Config,
  databaseUrl: string,
  log: Logger,
  clock: Clock = systemClock,
): Promise<OpenDeps> {
  const database = openDatabase({
    url: databaseUrl,
    poolMax: config.databasePoolMax,
    preparedStatements: config.preparedStatements,
    timeouts: requestTimeouts,
    onConnectionLost: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  const { limiter, closeLimiter } = await openLimiter(config, log, clock)
  const secrets = await loadSessionSecrets(config.sessionSecrets, config.dataDir)
  const keys = openKeys(config, database, databaseUrl)
  return {
    deps: {
      config,
      database,
      findKey: keys.find,
      limiter,
      sessionTokens: sessionTokens(secrets, config.sessionTtlSeconds),
      clock,
      log,
      lifecycle: { draining: false },
    },
    async close() {
      await keys.close()
      await closeDatabase(database)
      closeLimiter()
    },
  }
}

/** Keys in memory, read again as soon as a change of theirs is announced (decision 27). */
function openKeys(config: Config, database: Database, databaseUrl: string) {
  const cache = keyCache({
    ...keyCacheTimes,
    load: (hash) => findKey(database, hash),
    nowMs: () => performance.now(),
  })
  const find = cache.find
  // Poolers carry no announcements: behind one, the short time to live does all, unless there is a
  // way past it.
  const listenUrl =
    config.databaseDirectUrl ?? (config.preparedStatements ? databaseUrl : undefined)
  if (listenUrl === undefined) return { find, close: async () => {} }
  const changes = listenForAccessChanges(listenUrl, {
    onChange: cache.clear,
    onListening: cache.setAnnounced,
  })
  return { find, close: changes.close }
}

async function openLimiter(config: Config, log: Logger, clock: Clock) {
  const local = localLimiter(clock.now)
  if (config.redisUrl === undefined) return { limiter: local, closeLimiter: () => {} }
  const redis = await openRedis({
    url: config.redisUrl,
    commandTimeoutMs: config.redisTimeoutMs,
    onError: (error) => log.debug({ err: error }, 'redis connection failed'),
  })
  const limiter = resilientLimiter({
    shared: redisLimiter(redis),
    local,
    now: clock.now,
    onChange: (failure) =>
      failure === undefined
        ? log.info('limits are counted in Redis again')
        : log.warn({ err: failure }, 'limits are counted in the process: Redis does not answer'),
  })
  return { limiter, closeLimiter: () => redis.disconnect() }
}
