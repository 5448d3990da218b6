import type { Limiter } from '../limiter/limiter.ts'
import { endCall, type Spans } from './spans.ts'

/** The same limiter, each of its calls in a span. Whom it was about is not said. */
export function traceLimiter(limiter: Limiter, spans: Spans): Limiter {
  async function inSpan(limit: string, call: () => ReturnType<Limiter['consume']>) {
    const span = spans.startCall('limiter', { 'rental.limit': limit })
    try {
      const decision = await call()
      span?.setAttribute('rental.allowed', decision.allowed)
      return decision
    } finally {
      if (span !== undefined) endCall(span)
    }
  }
  return {
    ...limiter,
    consume: (subject, windows, options) =>
      inSpan(windows[0]?.name ?? '', () => limiter.consume(subject, windows, options)),
    giveBack: (subject, decision, name) =>
      inSpan(name, () => limiter.giveBack(subject, decision, name)),
  }
}
