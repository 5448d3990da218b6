import type { Cluster, Redis } from 'ioredis'
import { batchPerTick } from '../domain/batchPerTick.ts'
import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter } from './limiter.ts'
import { consumeScript, releaseScript } from './scripts.ts'

/** Redis runs one script at a time; a call of this size takes well under a millisecond. */
const requestsPerCallMax = 100

interface ConsumeRequest {
  readonly subject: string
  readonly windows: readonly LimitWindow[]
  readonly count: boolean
}

interface ScriptedRedis {
  consumeWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
  releaseOne(key: string, ...numbers: number[]): Promise<[used: number, resetAtSeconds: number]>
}

/**
 * Returns a limiter that counts in Redis, exact across replicas. Requests of the same event-loop
 * tick share one call. Rejects when Redis is unavailable or slow.
 */
export function redisLimiter(redis: Redis | Cluster): Limiter {
  redis.defineCommand('consumeWindows', { lua: consumeScript })
  redis.defineCommand('releaseOne', { lua: releaseScript, numberOfKeys: 1 })
  const scripted = redis as typeof redis & ScriptedRedis
  // In a cluster, keys of different subjects may be on different nodes, which a script cannot mix.
  const batchMax = redis.isCluster ? 1 : requestsPerCallMax
  const consume = batchPerTick(batchMax, (requests: readonly ConsumeRequest[]) =>
    call(scripted, requests),
  )

  return {
    degraded: () => false,
    consume: (subject, windows, { count = true } = {}) => consume({ subject, windows, count }),
    async release(subject, decision, name) {
      const window = windowNamed(decision, name)
      const { windowSeconds, resetAtSeconds } = window
      const key = counterKey(subject, window)
      const state = await scripted.releaseOne(key, windowSeconds, resetAtSeconds)
      return withWindow(decision, windowState(window, ...state))
    },
  }
}

/**
 * Returns the Redis key of a counter. The braces are a hash tag: all counters of a subject are in
 * one cluster slot.
 */
const counterKey = (subject: string, { name }: LimitWindow) => `rl:{${subject}}:${name}`

async function call(redis: ScriptedRedis, requests: readonly ConsumeRequest[]) {
  const keys: string[] = []
  const parameters: number[] = []
  for (const { subject, windows, count } of requests) {
    parameters.push(count ? 1 : 0, windows.length)
    for (const window of windows) {
      keys.push(counterKey(subject, window))
      parameters.push(window.limit, window.windowSeconds)
    }
  }
  const states = await redis.consumeWindows(keys.length, ...keys, ...parameters)
  let taken = 0
  const take = () => {
    const state = states[taken++]
    // A server that is not Redis may return anything; undefined would reject every request.
    if (typeof state !== 'number') throw new TypeError('Redis returned no counters')
    return state
  }
  const nowSeconds = take()
  return requests.map(({ windows }) => {
    const allowed = take() === 1
    // Evaluated in order: first `used`, then `reset`.
    const states = windows.map((window) => windowState(window, take(), take()))
    return { allowed, nowSeconds, windows: states, countedIn: 'redis' as const }
  })
}
