import { LRUCache } from 'lru-cache'
import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter, OnDecision } from './limiter.ts'

interface Counter {
  used: number
  readonly resetAtSeconds: number
}

/** Of each length: bounds the memory that callers with ever new addresses can take to about 40 MB. */
const countersMax = 100_000

/** Counts in the process, by the rules of the shared limiter: without Redis or while it is away. */
export function localLimiter(now: () => Date, onDecision: OnDecision = () => {}): Limiter {
  const clockSeconds = () => Math.floor(now().getTime() / 1000)
  /** By the length of their windows: of one length, the first to begin is the first to end. */
  const counters = new Map<number, LRUCache<string, Counter>>()
  const countersLike = ({ windowSeconds }: LimitWindow) => {
    const found = counters.get(windowSeconds) ?? new LRUCache({ max: countersMax })
    counters.set(windowSeconds, found)
    return found
  }

  return {
    degraded: () => false,
    async consume(subject, windows, { count = true } = {}) {
      const nowSeconds = clockSeconds()
      const judged = windows.map((window) => {
        const key = `${subject}:${window.name}`
        const alike = countersLike(window)
        return { window, key, alike, counter: current(alike.peek(key), window, nowSeconds) }
      })
      const allowed = judged.every(({ window, counter }) => counter.used < window.limit)
      for (const { key, alike, counter } of allowed && count ? judged : []) {
        if (alike.peek(key) !== counter) alike.set(key, counter)
        counter.used++
      }
      if (count) onDecision(windows[0]?.name ?? '', allowed, 'process')
      return {
        allowed,
        nowSeconds,
        windows: judged.map(({ window, counter: { used, resetAtSeconds } }) =>
          windowState(window, used, resetAtSeconds),
        ),
        countedIn: 'process',
      }
    },
    async release(subject, decision, name) {
      const window = windowNamed(decision, name)
      const known = countersLike(window).peek(`${subject}:${name}`)
      const counter = current(known, window, clockSeconds())
      const counted = counter.resetAtSeconds === window.resetAtSeconds
      if (counted && counter.used > 0) counter.used--
      return withWindow(decision, windowState(window, counter.used, counter.resetAtSeconds))
    },
  }
}

/** What is known, or a new counter where its window is over or there is none. */
function current(known: Counter | undefined, { windowSeconds }: LimitWindow, nowSeconds: number) {
  const lastsSeconds = (known?.resetAtSeconds ?? nowSeconds) - nowSeconds
  // Longer than the window: the clock was set back since, and the counter is of no window now.
  if (known !== undefined && lastsSeconds > 0 && lastsSeconds <= windowSeconds) return known
  return { used: 0, resetAtSeconds: nowSeconds + windowSeconds }
}
