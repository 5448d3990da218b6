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
  const onChange = (failure: unknown) => {
    if (failure === undefined) return log.info('limits are counted in Redis again')
    const reason = describeRedisError(failure)
    log.warn({ reason }, 'Redis unavailable; limits are counted in the process')
  }
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
  if (unavailableAtStart) onChange(failure ?? new Error('not connected'))
  const shared = redisLimiter(redis)
  const limiter = resilientLimiter({ shared, local, now, unavailableAtStart, onChange })
  return { limiter, closeLimiter: () => redis.disconnect() }
}
