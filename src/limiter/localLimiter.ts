import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter, OnDecision } from './limiter.ts'

interface Counter {
  used: number
  readonly resetAtSeconds: number
}

/** Bounds the memory that callers with ever new addresses can take: about 10 MB. */
const countersMax = 100_000

/** Counts in the process, by the rules of the shared limiter: without Redis or while it is away. */
export function localLimiter(now: () => Date, onDecision: OnDecision = () => {}): Limiter {
  const counters = new Map<string, Counter>()

  function current(key: string, { windowSeconds }: LimitWindow, nowSeconds: number): Counter {
    const known = counters.get(key)
    const lastsSeconds = (known?.resetAtSeconds ?? nowSeconds) - nowSeconds
    // Longer than the window: the clock was set back since, and the counter is of no window now.
    if (known !== undefined && lastsSeconds > 0 && lastsSeconds <= windowSeconds) return known
    return { used: 0, resetAtSeconds: nowSeconds + windowSeconds }
  }

  function makeRoom(nowSeconds: number): void {
    for (const [key, { resetAtSeconds }] of counters) {
      if (resetAtSeconds <= nowSeconds) counters.delete(key)
    }
    // Still full: the oldest go, since a Map keeps the order in which they came.
    for (const key of counters.keys()) {
      if (counters.size < countersMax) break
      counters.delete(key)
    }
  }

  const clockSeconds = () => Math.floor(now().getTime() / 1000)

  return {
    async consume(subject, windows, { count = true } = {}) {
      const nowSeconds = clockSeconds()
      const judged = windows.map((window) => {
        const key = `${subject}:${window.name}`
        return { window, key, counter: current(key, window, nowSeconds) }
      })
      const allowed = judged.every(({ window, counter }) => counter.used < window.limit)
      for (const { key, counter } of allowed && count ? judged : []) {
        counter.used++
        if (!counters.has(key) && counters.size >= countersMax) makeRoom(nowSeconds)
        counters.set(key, counter)
      }
      if (count) onDecision(windows[0]?.name ?? '', allowed)
      return {
        allowed,
        nowSeconds,
        windows: judged.map(({ window, counter: { used, resetAtSeconds } }) =>
          windowState(window, used, resetAtSeconds),
        ),
        countedIn: 'process',
      }
    },
    async giveBack(subject, decision, name) {
      const window = windowNamed(decision, name)
      const counter = current(`${subject}:${name}`, window, clockSeconds())
      const counted = counter.resetAtSeconds === window.resetAtSeconds
      if (counted && counter.used > 0) counter.used--
      return withWindow(decision, windowState(window, counter.used, counter.resetAtSeconds))
    },
  }
}
