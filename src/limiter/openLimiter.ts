import type { Logger } from 'pino'
import type { Config } from '../config/environment.ts'
import { localLimiter } from './localLimiter.ts'
import { describeRedisError, openRedis } from './openRedis.ts'
import { redisLimiter } from './redisLimiter.ts'
import { resilientLimiter } from './resilientLimiter.ts'

/** Opens the limiter of the configuration; it counts in the process while Redis is unavailable. */
export async function openLimiter(
  config: Pick<Config, 'redisUrl' | 'redisTimeoutMs'>,
  log: Logger,
  now: () => Date,
) {
  const local = localLimiter(now)
  if (config.redisUrl === undefined) return { limiter: local, closeLimiter: () => {} }
  const warn = backendChangeLogger(log)
  let failure: Error | undefined
  const redis = await openRedis({
    url: config.redisUrl,
    commandTimeoutMs: config.redisTimeoutMs,
    onError: (error) => {
      // Only the first error has the reason; later ones report a closed connection.
      failure ??= error
      log.debug({ err: error }, 'redis connection failed')
    },
  })
  const unavailableAtStart = redis.status !== 'ready'
  if (unavailableAtStart) warn(failure)
  const shared = redisLimiter(redis)
  const limiter = resilientLimiter({ shared, local, now, unavailableAtStart, onChange: warn })
  return { limiter, closeLimiter: () => redis.disconnect() }
}

/** Logs when counting switches between Redis and the process; `failure` is undefined for Redis. */
function backendChangeLogger(log: Logger) {
  let unavailable = false
  return (failure: unknown): void => {
    if (failure === undefined) {
      if (unavailable) log.info('limits are counted in Redis again')
    } else if (!unavailable) {
      const reason = describeRedisError(failure)
      log.warn({ reason }, 'Redis unavailable; limits are counted in the process')
    }
    unavailable = failure !== undefined
  }
}
