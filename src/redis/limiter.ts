import type { Cluster, Redis } from 'ioredis'
import {
  type LimitDecision,
  type LimitWindow,
  windowNamed,
  windowState,
  withWindow,
} from '../domain/limits.ts'
import { giveBackScript, limiterScript } from './scripts.ts'

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
  /**
   * Takes back what `decision` counted for `subject` in the window `name`, unless that is over.
   * Returns how the windows stand then.
   */
  giveBack(subject: string, decision: LimitDecision, name: string): Promise<LimitDecision>
  /** True while a shared limiter is meant to count but the process does. */
  degraded?(): boolean
}

/** Told of every decision that counted; `limit` names the first window, such as `quotes`. */
export type OnDecision = (limit: string, allowed: boolean) => void

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
  giveBackOne(key: string, windowSeconds: number, resetAtSeconds: number): Promise<[number, number]>
}

/**
 * The shared limiter: exact over any number of replicas. Requests of one turn of the event loop
 * share a call, so that its price is paid once. Rejects when Redis is away or slow.
 */
export function redisLimiter(redis: Redis | Cluster, onDecision: OnDecision = () => {}): Limiter {
  redis.defineCommand('consumeWindows', { lua: limiterScript })
  redis.defineCommand('giveBackOne', { lua: giveBackScript, numberOfKeys: 1 })
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
    async giveBack(subject, decision, name) {
      const window = windowNamed(decision, name)
      const { windowSeconds, resetAtSeconds } = window
      const key = counterKey(subject, window)
      const standing = await scripted.giveBackOne(key, windowSeconds, resetAtSeconds)
      return withWindow(decision, windowState(window, ...standing))
    },
  }
}

/** The braces put all counters of a subject into one slot of a cluster. */
const counterKey = (subject: string, { name }: LimitWindow) => `rl:{${subject}}:${name}`

async function call(
  redis: ScriptedRedis,
  requests: readonly Waiting[],
  onDecision: OnDecision,
): Promise<void> {
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
  const nowSeconds = states[0] ?? 0
  let at = 1
  for (const { windows, count, resolve } of requests) {
    const allowed = states[at++] === 1
    const judged = windows.map((window) =>
      windowState(window, states[at++] ?? 0, states[at++] ?? 0),
    )
    if (count) onDecision(judged[0]?.name ?? '', allowed)
    resolve({ allowed, nowSeconds, windows: judged, countedIn: 'redis' })
  }
}
