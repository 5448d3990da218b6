import type { Limiter } from './limiter.ts'

/** Told of every decision that counted; `limit` names the first window, such as `quotes`. */
type OnDecision = (limit: string, allowed: boolean) => void

/** The same limiter, with somebody watching. */
export function observedLimiter(limiter: Limiter, onDecision: OnDecision): Limiter {
  return {
    ...limiter,
    async consume(subject, windows, options) {
      const decision = await limiter.consume(subject, windows, options)
      const [first] = windows
      if (options?.count !== false && first !== undefined) onDecision(first.name, decision.allowed)
      return decision
    },
  }
}
