import { randomUUID } from 'node:crypto'
import type { LimitWindow } from '../domain/limits.ts'
import { minuteSeconds } from '../domain/units.ts'
import type { Limiter } from './limiter.ts'

/** After a failure Redis is left alone for this long, then one request tries it again. */
const pauseMs = 2_000
/** Redis is tried by counting: one that is read-only or has a full disk can't (decision 511). */
export const probeWindow: LimitWindow = { name: 'trial', limit: 2, windowSeconds: minuteSeconds }

interface ResilientLimiterOptions {
  readonly shared: Limiter
  readonly local: Limiter
  readonly now: () => Date
  /** Whether the first request finds Redis away. */
  readonly absent?: boolean
  /** Told when counting changes over: the failure, or undefined once Redis answers again. */
  readonly onChange: (failure: unknown) => void
}

/**
 * The shared limiter while it answers, the local one otherwise (decision 43): no caller sees an
 * error because a counter is away, and nobody goes unlimited either.
 */
export function resilientLimiter(options: ResilientLimiterOptions): Limiter {
  const { shared, local, now, absent = false, onChange } = options
  let pausedUntilMs = absent ? now().getTime() + pauseMs : 0
  const pause = () => {
    pausedUntilMs = now().getTime() + pauseMs
  }
  async function tryAgain(): Promise<void> {
    const leftMs = pausedUntilMs - now().getTime()
    // A clock that was set back must not make the pause last until it has caught up.
    if (leftMs > 0 && leftMs <= pauseMs) return
    // While this request tries, the others keep to the local limiter.
    pause()
    try {
      const subject = randomUUID()
      // Twice: the first count of a window is written by another command than the next.
      await shared.consume(subject, [probeWindow])
      await shared.consume(subject, [probeWindow])
      pausedUntilMs = 0
      onChange(undefined)
    } catch {
      pause()
    }
  }
  return {
    degraded() {
      if (pausedUntilMs === 0) return false
      // Without traffic nobody would try Redis again: asking for the state does.
      void tryAgain()
      return true
    },
    async consume(subject, windows, options) {
      if (pausedUntilMs > 0) await tryAgain()
      if (pausedUntilMs > 0) return local.consume(subject, windows, options)
      try {
        return await shared.consume(subject, windows, options)
      } catch (error) {
        if (pausedUntilMs === 0) onChange(error)
        pause()
        return local.consume(subject, windows, options)
      }
    },
    async release(subject, decision, name) {
      if (decision.countedIn === 'process') return local.release(subject, decision, name)
      // Asked again after no answer, it might be given back twice: it stays counted.
      return shared.release(subject, decision, name).catch(() => decision)
    },
  }
}
