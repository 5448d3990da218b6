import { LRUCache } from 'lru-cache'
import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter } from './limiter.ts'

interface Counter {
  used: number
  readonly resetAtSeconds: number
}

/** Maximum number of counters per window length; limits memory to about 40 MB. */
const countersMax = 100_000

/** Returns a limiter that counts in the process, with the rules of the Redis limiter. */
export function localLimiter(now: () => Date): Limiter {
  const clockSeconds = () => Math.floor(now().getTime() / 1000)
  /** Counters by window length. With equal lengths, LRU evicts the counter that ends first. */
  const counters = new Map<number, LRUCache<string, Counter>>()
  const countersOfLength = ({ windowSeconds }: LimitWindow) => {
    const found = counters.get(windowSeconds) ?? new LRUCache({ max: countersMax })
    counters.set(windowSeconds, found)
    return found
  }

  return {
    degraded: () => false,
    async consume(subject, windows, { count = true } = {}) {
      const nowSeconds = clockSeconds()
      const checked = windows.map((window) => {
        const key = `${subject}:${window.name}`
        const store = countersOfLength(window)
        return { window, key, store, counter: current(store.peek(key), window, nowSeconds) }
      })
      const allowed = checked.every(({ window, counter }) => counter.used < window.limit)
      for (const { key, store, counter } of allowed && count ? checked : []) {
        if (store.peek(key) !== counter) store.set(key, counter)
        counter.used++
      }
      return {
        allowed,
        nowSeconds,
        windows: checked.map(({ window, counter: { used, resetAtSeconds } }) =>
          windowState(window, used, resetAtSeconds),
        ),
        countedIn: 'process',
      }
    },
    async release(subject, decision, name) {
      const window = windowNamed(decision, name)
      const stored = countersOfLength(window).peek(`${subject}:${name}`)
      const counter = current(stored, window, clockSeconds())
      const counted = counter.resetAtSeconds === window.resetAtSeconds
      if (counted && counter.used > 0) counter.used--
      return withWindow(decision, windowState(window, counter.used, counter.resetAtSeconds))
    },
  }
}

function current(stored: Counter | undefined, { windowSeconds }: LimitWindow, nowSeconds: number) {
  const remainingSeconds = (stored?.resetAtSeconds ?? nowSeconds) - nowSeconds
  // More than the window length is left only if the clock was set back; then start a new window.
  if (stored !== undefined && remainingSeconds > 0 && remainingSeconds <= windowSeconds)
    return stored
  return { used: 0, resetAtSeconds: nowSeconds + windowSeconds }
}
