import type { Metrics } from './metrics.ts'

/** Counts what limiters decide; `limit` names the first window, such as `quotes`. */
export function decisionCounter(
  { limiterDecisions }: Pick<Metrics, 'limiterDecisions'>,
  countedIn: 'redis' | 'process',
): (limit: string, allowed: boolean) => void {
  const countsOf = (limit: string) => ({
    allowed: limiterDecisions.of({ limit, decision: 'allowed', counted_in: countedIn }),
    refused: limiterDecisions.of({ limit, decision: 'refused', counted_in: countedIn }),
  })
  const known = new Map<string, ReturnType<typeof countsOf>>()
  return (limit, allowed) => {
    let counts = known.get(limit)
    if (counts === undefined) {
      counts = countsOf(limit)
      known.set(limit, counts)
    }
    const count = allowed ? counts.allowed : counts.refused
    count.value += 1
  }
}
