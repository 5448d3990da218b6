import type { Limiter } from '../redis/limiter.ts'
import { endCall, type Spans } from './spans.ts'

/** The same limiter, each decision in a span. Whom it was about is not said. */
export function traceLimiter(limiter: Limiter, spans: Spans): Limiter {
  return {
    ...limiter,
    async consume(subject, windows, options) {
      const span = spans.startCall('limiter', { 'rental.limit': windows[0]?.name ?? '' })
      try {
        const decision = await limiter.consume(subject, windows, options)
        span?.setAttribute('rental.allowed', decision.allowed)
        return decision
      } finally {
        if (span !== undefined) endCall(span)
      }
    },
  }
}
