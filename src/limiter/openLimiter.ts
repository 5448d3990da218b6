import type { Logger } from 'pino'
import type { Config } from '../config/environment.ts'
import type { OnDecision } from './limiter.ts'
import { localLimiter } from './localLimiter.ts'
import { describeRedisError, openRedis } from './openRedis.ts'
import { redisLimiter } from './redisLimiter.ts'
import { probeWindow, resilientLimiter } from './resilientLimiter.ts'

/** Counts in Redis where the configuration names one, and in the process while it is away. */
export async function openLimiter(
  config: Config,
  log: Logger,
  now: () => Date,
  onDecision: OnDecision,
) {
  const local = localLimiter(now, onDecision)
  if (config.redisUrl === undefined) return { limiter: local, closeLimiter: () => {} }
  const warn = warnOfRedis(log)
  let failure: Error | undefined
  const redis = await openRedis({
    url: config.redisUrl,
    commandTimeoutMs: config.redisTimeoutMs,
    onError: (error) => {
      // The first says why; those after it say that the connection is closed.
      failure ??= error
      log.debug({ err: error }, 'redis connection failed')
    },
  })
  const absent = redis.status !== 'ready'
  if (absent) warn(failure)
  const shared = redisLimiter(redis, (limit, allowed, countedIn) => {
    if (limit === probeWindow.name) return
    onDecision(limit, allowed, countedIn)
  })
  const limiter = resilientLimiter({
    shared,
    local,
    now,
    absent,
    onChange: warn,
  })
  return { limiter, closeLimiter: () => redis.disconnect() }
}

/** Logs one line when counting changes over: with the failure, or undefined once Redis answers. */
function warnOfRedis(log: Logger) {
  let away = false
  return (failure: unknown): void => {
    if (failure === undefined) {
      if (away) log.info('limits are counted in Redis again')
    } else if (!away) {
      const reason = describeRedisError(failure)
      log.warn({ reason }, 'limits are counted in the process: Redis does not answer')
    }
    away = failure !== undefined
  }
}
