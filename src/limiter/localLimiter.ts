import { type LimitWindow, windowNamed, windowState, withWindow } from '../domain/limits.ts'
import type { Limiter, OnDecision } from './limiter.ts'

interface Counter {
  used: number
  readonly resetAtSeconds: number
}

/** Of each length: bounds the memory that callers with ever new addresses can take to about 25 MB. */
const countersMax = 100_000

/** Counters by the length of their windows: of one length, the first to begin is the first to end. */
function openCounters() {
  const counters = new Map<number, Map<string, Counter>>()

  function alikeOf({ windowSeconds }: LimitWindow): Map<string, Counter> {
    const found = counters.get(windowSeconds) ?? new Map<string, Counter>()
    counters.set(windowSeconds, found)
    return found
  }

  return {
    current(key: string, window: LimitWindow, nowSeconds: number): Counter {
      const { windowSeconds } = window
      const known = alikeOf(window).get(key)
      const lastsSeconds = (known?.resetAtSeconds ?? nowSeconds) - nowSeconds
      // Longer than the window: the clock was set back since, and the counter is of no window now.
      if (known !== undefined && lastsSeconds > 0 && lastsSeconds <= windowSeconds) return known
      return { used: 0, resetAtSeconds: nowSeconds + windowSeconds }
    },
    countIn(window: LimitWindow, key: string, counter: Counter): void {
      counter.used++
      const alike = alikeOf(window)
      if (alike.get(key) === counter) return
      // Put at the end, since a Map keeps the order in which keys came.
      alike.delete(key)
      const [oldest = key] = alike.keys()
      if (alike.size >= countersMax) alike.delete(oldest)
      alike.set(key, counter)
    },
  }
}

/** Counts in the process, by the rules of the shared limiter: without Redis or while it is away. */
export function localLimiter(now: () => Date, onDecision: OnDecision = () => {}): Limiter {
  const { current, countIn } = openCounters()
  const clockSeconds = () => Math.floor(now().getTime() / 1000)

  return {
    degraded: () => false,
    async consume(subject, windows, { count = true } = {}) {
      const nowSeconds = clockSeconds()
      const judged = windows.map((window) => {
        const key = `${subject}:${window.name}`
        return { window, key, counter: current(key, window, nowSeconds) }
      })
      const allowed = judged.every(({ window, counter }) => counter.used < window.limit)
      for (const { window, key, counter } of allowed && count ? judged : []) {
        countIn(window, key, counter)
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
    async giveBack(subject, decision, name) {
      const window = windowNamed(decision, name)
      const counter = current(`${subject}:${name}`, window, clockSeconds())
      const counted = counter.resetAtSeconds === window.resetAtSeconds
      if (counted && counter.used > 0) counter.used--
      return withWindow(decision, windowState(window, counter.used, counter.resetAtSeconds))
    },
  }
}
