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

/** Told of every decision that counted; `limit` names the first window, such as `quotes`. */
export type OnDecision = (limit: string, allowed: boolean) => void

/**
 * Judges several requests one after the other, each as if it had come alone. KEYS are the windows'
 * counters, request by request; ARGV has for each request 1 to count or 0 to look, how many windows
 * it has, and their limits and seconds. Returns { now, allowed, used, reset, used, reset, …, allowed,
 * … }. The time is Redis's own and windows end on whole seconds, so every replica tells the same
 * reset.
 */
export const limiterScript = `
local time = redis.call('TIME')
local now = tonumber(time[1])
local nowMs = now * 1000 + time[2] / 1000
local result, key, arg = { now }, 0, 0
while key < #KEYS do
  local counts, windows = ARGV[arg + 1] == '1', tonumber(ARGV[arg + 2])
  local at, allowed = #result + 1, 1
  for i = 1, windows do
    local ttl = redis.call('PTTL', KEYS[key + i])
    local used = ttl > 0 and tonumber(redis.call('GET', KEYS[key + i])) or 0
    if used >= tonumber(ARGV[arg + 1 + 2 * i]) then allowed = 0 end
    result[at + 2 * i - 1] = used
    result[at + 2 * i] = ttl > 0 and math.floor((nowMs + ttl) / 1000 + 0.5) or now + ARGV[arg + 2 + 2 * i]
  end
  result[at] = allowed
  for i = 1, counts and allowed == 1 and windows or 0 do
    local used = redis.call('INCR', KEYS[key + i])
    if used == 1 then redis.call('EXPIREAT', KEYS[key + i], result[at + 2 * i]) end
    result[at + 2 * i - 1] = used
  end
  key, arg = key + windows, arg + 2 + 2 * windows
end
return result`

/** A script call holds everybody else up: this many take Redis well under a millisecond. */
const requestsPerCallMax = 100

interface Waiting {
  readonly subject: string
  readonly windows: readonly LimitWindow[]
  readonly count: boolean
  resolve(decision: LimitDecision): void
  reject(error: unknown): void
}

interface ScriptedRedis {
  consumeWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
}

/**
 * The shared limiter: exact over any number of replicas. Requests of one turn of the event loop
 * share a call, so that its price is paid once. Rejects when Redis is away or slow.
 */
export function redisLimiter(redis: Redis | Cluster, onDecision: OnDecision = () => {}): Limiter {
  redis.defineCommand('consumeWindows', { lua: limiterScript })
  const scripted = redis as typeof redis & ScriptedRedis
  // The nodes of a cluster have other keys each: there every request makes its own call.
  const sharedMax = redis.isCluster ? 1 : requestsPerCallMax
  let waiting: Waiting[] = []

  function callForAll(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += sharedMax) {
      const shared = all.slice(start, start + sharedMax)
      call(scripted, shared, onDecision).catch((error: unknown) => {
        for (const { reject } of shared) reject(error)
      })
    }
  }

  return {
    consume(subject, windows, { count = true } = {}) {
      return new Promise((resolve, reject) => {
        // Runs when the sockets that had something to say have been read.
        if (waiting.length === 0) setImmediate(callForAll)
        waiting.push({ subject, windows, count, resolve, reject })
      })
    },
  }
}

async function call(
  redis: ScriptedRedis,
  requests: readonly Waiting[],
  onDecision: OnDecision,
): Promise<void> {
  const keys: string[] = []
  const parameters: number[] = []
  for (const { subject, windows, count } of requests) {
    parameters.push(count ? 1 : 0, windows.length)
    for (const { name, limit, windowSeconds } of windows) {
      // The braces put all counters of a subject into one slot of a cluster.
      keys.push(`rl:{${subject}}:${name}`)
      parameters.push(limit, windowSeconds)
    }
  }
  const states = await redis.consumeWindows(keys.length, ...keys, ...parameters)
  const nowSeconds = states[0] ?? 0
  let at = 1
  for (const { windows, count, resolve } of requests) {
    const allowed = states[at++] === 1
    const judged = windows.map(({ name, limit, windowSeconds }) => {
      const remaining = Math.max(0, limit - (states[at++] ?? 0))
      return { name, limit, windowSeconds, remaining, resetAtSeconds: states[at++] ?? 0 }
    })
    if (count) onDecision(judged[0]?.name ?? '', allowed)
    resolve({ allowed, nowSeconds, windows: judged })
  }
}
