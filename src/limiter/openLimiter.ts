import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { OnDecision } from './limiter.ts'
import { localLimiter } from './localLimiter.ts'
import { openRedis, redisRefusal, redisTrouble } from './openRedis.ts'
import { redisLimiter } from './redisLimiter.ts'
import { resilientLimiter, trial } from './resilientLimiter.ts'

/** Counts in Redis where the configuration names one, and in the process while it is away. */
export async function openLimiter(
  config: Config,
  log: Logger,
  now: () => Date,
  onDecision: OnDecision,
) {
  const local = localLimiter(now, onDecision)
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
  const shared = redisLimiter(redis, (limit, allowed, countedIn) => {
    if (limit === trial.name) return
    counted()
    onDecision(limit, allowed, countedIn)
  })
  const limiter = resilientLimiter({
    shared,
    local,
    now,
    absent,
    onChange: (cause) => (cause === undefined ? answered() : failed(cause)),
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
