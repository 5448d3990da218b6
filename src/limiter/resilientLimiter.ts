import type { Limiter } from './limiter.ts'

/** After a failure Redis is left alone for this long, then one request tries it again. */
const pauseMs = 2_000

export interface ResilientLimiterOptions {
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
export function resilientLimiter({
  shared,
  local,
  now,
  absent = false,
  onChange,
}: ResilientLimiterOptions): Limiter {
  let pausedUntilMs = absent ? now().getTime() + pauseMs : 0
  const limiter: Limiter = {
    degraded() {
      if (pausedUntilMs === 0) return false
      // Without traffic nobody would try Redis again: asking for the state does.
      void limiter.consume('', [], { count: false })
      return true
    },
    async consume(subject, windows, options) {
      const startedMs = now().getTime()
      // A clock that was set back must not make the pause last until it has caught up.
      const paused = startedMs < pausedUntilMs && startedMs >= pausedUntilMs - pauseMs
      if (paused) return local.consume(subject, windows, options)
      // While this request tries, the others keep to the local limiter.
      const probing = pausedUntilMs > 0
      if (probing) pausedUntilMs = startedMs + pauseMs
      try {
        const decision = await shared.consume(subject, windows, options)
        if (probing) {
          pausedUntilMs = 0
          onChange(undefined)
        }
        return decision
      } catch (error) {
        if (pausedUntilMs === 0) onChange(error)
        pausedUntilMs = now().getTime() + pauseMs
        return local.consume(subject, windows, options)
      }
    },
    async giveBack(subject, decision, name) {
      if (decision.countedIn === 'process') return local.giveBack(subject, decision, name)
      // Without an answer it stays counted until the window ends: asked twice, it might be given
      // back twice.
      return shared.giveBack(subject, decision, name).catch(() => decision)
    },
  }
  return limiter
}
