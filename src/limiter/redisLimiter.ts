import type { Cluster, Redis } from 'ioredis'
import {
  type LimitDecision,
  type LimitWindow,
  type WindowState,
  windowNamed,
  windowState,
  withWindow,
} from '../domain/limits.ts'
import type { Limiter, OnDecision } from './limiter.ts'
import { consumeScript, giveBackScript } from './scripts.ts'

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
  giveBackOne(
    key: string,
    windowSeconds: number,
    resetAtSeconds: number,
  ): Promise<[used: number, resetAtSeconds: number]>
}

/**
 * The shared limiter: exact over any number of replicas. Requests of one turn of the event loop
 * share a call, so that its price is paid once. Rejects when Redis is away or slow.
 */
export function redisLimiter(redis: Redis | Cluster, onDecision: OnDecision = () => {}): Limiter {
  redis.defineCommand('consumeWindows', { lua: consumeScript })
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
  let taken = 0
  const take = () => states[taken++] ?? 0
  const nowSeconds = take()
  for (const { windows, count, resolve } of requests) {
    const allowed = take() === 1
    const judged: WindowState[] = []
    for (const window of windows) {
      const used = take()
      const resetAtSeconds = take()
      judged.push(windowState(window, used, resetAtSeconds))
    }
    if (count) onDecision(windows[0]?.name ?? '', allowed)
    resolve({ allowed, nowSeconds, windows: judged, countedIn: 'redis' })
  }
}
