import process from 'node:process'
import { countOutcome, countResponse } from '../src/http/server/hooks.ts'
import { openMetrics } from '../src/telemetry/metrics.ts'
import { operationsPerSecond } from './rounds.ts'

type Request = Parameters<typeof countResponse>[1]
type Reply = Parameters<typeof countResponse>[2]

/** What the metrics of one booking cost it: everything that is counted from key to answer. */
export function benchMetrics(): void {
  const metrics = openMetrics()
  const request = { operation: { text: { operationId: 'createBooking' } } } as unknown as Request
  const reply = { statusCode: 202, elapsedTime: 0, hasHeader: () => false } as unknown as Reply
  const decision = { limit: 'bookings', decision: 'allowed', counted_in: 'redis' }
  const hits = metrics.cacheLookups.of({ cache: 'keys', result: 'hit' })
  const perSecond = operationsPerSecond((index) => {
    Object.assign(reply, { elapsedTime: index % 100 })
    hits.value += 1
    metrics.limiterDecisions.of(decision).value += 1
    countOutcome(metrics, request, reply)
    countResponse(metrics, request, reply)
    return index
  })
  const label = 'all counters of one booking'
  process.stdout.write(`  ${label.padEnd(38)}${(1e6 / perSecond).toFixed(2).padStart(10)} µs\n`)
}
