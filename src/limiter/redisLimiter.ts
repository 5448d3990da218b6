import type { Cluster, Redis } from 'ioredis'
import { batchPerTick } from '../domain/batchPerTick.ts'
import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter, OnDecision } from './limiter.ts'
import { consumeScript, releaseScript } from './scripts.ts'

/** A script call holds everybody else up: this many take Redis well under a millisecond. */
const requestsPerCallMax = 100

interface Asked {
  readonly subject: string
  readonly windows: readonly LimitWindow[]
  readonly count: boolean
}

interface ScriptedRedis {
  consumeWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
  releaseOne(key: string, ...numbers: number[]): Promise<[used: number, resetAtSeconds: number]>
}

/**
 * The shared limiter: exact over any number of replicas. Requests of one turn of the event loop
 * share a call, so that its price is paid once. Rejects when Redis is away or slow.
 */
export function redisLimiter(redis: Redis | Cluster, onDecision: OnDecision = () => {}): Limiter {
  redis.defineCommand('consumeWindows', { lua: consumeScript })
  redis.defineCommand('releaseOne', { lua: releaseScript, numberOfKeys: 1 })
  const scripted = redis as typeof redis & ScriptedRedis
  // The nodes of a cluster have other keys each: there every request makes its own call.
  const sharedMax = redis.isCluster ? 1 : requestsPerCallMax
  const judge = batchPerTick(sharedMax, (asked: readonly Asked[]) =>
    call(scripted, asked, onDecision),
  )

  return {
    degraded: () => false,
    consume: (subject, windows, { count = true } = {}) => judge({ subject, windows, count }),
    async release(subject, decision, name) {
      const window = windowNamed(decision, name)
      const { windowSeconds, resetAtSeconds } = window
      const key = counterKey(subject, window)
      const standing = await scripted.releaseOne(key, windowSeconds, resetAtSeconds)
      return withWindow(decision, windowState(window, ...standing))
    },
  }
}

/** The braces put all counters of a subject into one slot of a cluster. */
const counterKey = (subject: string, { name }: LimitWindow) => `rl:{${subject}}:${name}`

async function call(redis: ScriptedRedis, requests: readonly Asked[], onDecision: OnDecision) {
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
    // From a peer that is no Redis: believed, it would refuse everybody.
    if (typeof state !== 'number') throw new TypeError('Redis answered with no counters')
    return state
  }
  const nowSeconds = take()
  return requests.map(({ windows, count }) => {
    const allowed = take() === 1
    // Used and reset, as the script tells them.
    const judged = windows.map((window) => windowState(window, take(), take()))
    if (count) onDecision(windows[0]?.name ?? '', allowed, 'redis')
    return { allowed, nowSeconds, windows: judged, countedIn: 'redis' as const }
  })
}
