import { randomUUID } from 'node:crypto'
import type { LimitWindow } from '../domain/limits.ts'
import { minuteSeconds } from '../domain/units.ts'
import type { Limiter } from './limiter.ts'

/** How long Redis is not used after a failure; then one request probes it. */
const pauseMs = 2_000
/** The probe writes, because a read-only Redis or a full disk fails only on writes. */
const probeWindow: LimitWindow = { name: 'trial', limit: 2, windowSeconds: minuteSeconds }

interface ResilientLimiterOptions {
  readonly shared: Limiter
  readonly local: Limiter
  readonly now: () => Date
  readonly unavailableAtStart?: boolean
  /** Called when counting switches: with the failure, or undefined when Redis is used again. */
  readonly onChange: (failure: unknown) => void
}

/**
 * Returns a limiter that uses `shared`, and `local` while `shared` fails. A failing Redis thus
 * neither causes errors nor lifts the limits.
 */
export function resilientLimiter(options: ResilientLimiterOptions): Limiter {
  const { shared, local, now, unavailableAtStart = false, onChange } = options
  let pausedUntilMs = unavailableAtStart ? now().getTime() + pauseMs : 0
  const pause = () => {
    pausedUntilMs = now().getTime() + pauseMs
  }
  async function probe(): Promise<void> {
    const leftMs = pausedUntilMs - now().getTime()
    // If the clock was set back, more than `pauseMs` is left; do not wait for that.
    if (leftMs > 0 && leftMs <= pauseMs) return
    // Other requests use the local limiter during the probe.
    pause()
    try {
      const subject = randomUUID()
      // Twice: the first count uses SET, later counts use INCR.
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
      // Probe here too, because without traffic `consume` does not.
      void probe()
      return true
    },
    async consume(subject, windows, options) {
      if (pausedUntilMs > 0) await probe()
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
      // Do not retry after a timeout: the request might be uncounted twice.
      return shared.release(subject, decision, name).catch(() => decision)
    },
  }
}
