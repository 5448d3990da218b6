import type { Cluster, Redis } from 'ioredis'
import type { LimitDecision, LimitWindow } from '../domain/limits.ts'

/** Counts requests in fixed windows. */
export interface Limiter {
  /**
   * Judges one request of `subject` by all `windows` at once and counts it in all of them, or in
   * none when one is used up (decision 37). With `count: false` it only tells how they stand.
   */
  consume(
    subject: string,
    windows: readonly LimitWindow[],
    options?: { readonly count?: boolean },
  ): Promise<LimitDecision>
  /** True while a shared limiter is meant to count but the process does. */
  degraded?(): boolean
}

/**
 * KEYS are the windows' counters; ARGV is 1 to count or 0 to look, then limit and seconds of each.
 * Returns { allowed, now, used 1, reset 1, used 2, reset 2, … }. The time is Redis's own and windows
 * end on whole seconds, so every replica tells the same reset.
 */
export const limiterScript = `
local time = redis.call('TIME')
local now = tonumber(time[1])
local nowMs = now * 1000 + time[2] / 1000
local used, reset, allowed = {}, {}, 1
for i, key in ipairs(KEYS) do
  local ttl = redis.call('PTTL', key)
  used[i] = ttl > 0 and tonumber(redis.call('GET', key)) or 0
  reset[i] = ttl > 0 and math.floor((nowMs + ttl) / 1000 + 0.5) or now + ARGV[2 * i + 1]
  if used[i] >= tonumber(ARGV[2 * i]) then allowed = 0 end
end
local result = { allowed, now }
for i, key in ipairs(KEYS) do
  if allowed == 1 and ARGV[1] == '1' then
    used[i] = redis.call('INCR', key)
    if used[i] == 1 then redis.call('EXPIREAT', key, reset[i]) end
  end
  result[2 * i + 1], result[2 * i + 2] = used[i], reset[i]
end
return result`

interface ScriptedRedis {
  consumeWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
}

/** The shared limiter: exact over any number of replicas. Rejects when Redis is away or slow. */
export function redisLimiter(redis: Redis | Cluster): Limiter {
  redis.defineCommand('consumeWindows', { lua: limiterScript })
  const scripted = redis as typeof redis & ScriptedRedis
  return {
    async consume(subject, windows, { count = true } = {}) {
      const [allowed = 0, nowSeconds = 0, ...states] = await scripted.consumeWindows(
        windows.length,
        // The braces put all counters of a subject into one slot of a cluster.
        ...windows.map(({ name }) => `rl:{${subject}}:${name}`),
        count ? 1 : 0,
        ...windows.flatMap(({ limit, windowSeconds }) => [limit, windowSeconds]),
      )
      return {
        allowed: allowed === 1,
        nowSeconds,
        windows: windows.map((window, index) => ({
          ...window,
          remaining: Math.max(0, window.limit - (states[2 * index] ?? 0)),
          resetAtSeconds: states[2 * index + 1] ?? 0,
        })),
      }
    },
  }
}
