import { Counter, Histogram, type Registry } from 'prom-client'

/** Buckets of the histogram, from a cached read to a request with several slow statements. */
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates counters and histograms. Do not use keys, tenants or paths as labels. */
export function createInstruments(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const tally = tallyOn(registry)
  return {
    requests: tally(
      'rental_http_requests_total',
      'Completed requests, by operation, status and error code.',
      'operation',
      'status',
      'code',
    ),
    requestDuration: new Histogram({
      name: 'rental_http_request_duration_seconds',
      help: 'Duration of requests in seconds, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: bucketsSeconds,
      registers: [registry],
    }),
    overloadRejections: counter(
      'rental_overload_refusals_total',
      'Requests rejected because all request slots, or those of their key, were taken.',
    ),
    quotes: counter('rental_quotes_total', 'Quotes created.'),
    bookingAttempts: counter(
      'rental_booking_attempts_total',
      'Valid booking requests, by outcome and whether the response is replayed.',
      'outcome',
      'replayed',
    ),
    limiterDecisions: tally(
      'rental_limiter_decisions_total',
      'Rate-limit decisions, by limit, decision and backend.',
      'limit',
      'decision',
      'counted_in',
    ),
    cacheLookups: tally(
      'rental_cache_lookups_total',
      'Lookups in the caches of API keys and catalogs, by result.',
      'cache',
      'result',
    ),
    housekeepingRuns: counter('rental_housekeeping_runs_total', 'Housekeeping runs.', 'result'),
    deletedRows: counter(
      'rental_housekeeping_deleted_rows_total',
      'Rows deleted or erased after their retention time, by retention job.',
      'chore',
    ),
  }
}

/** A counter for one set of labels. Increment `value` directly. */
export interface Count {
  value: number
}

/**
 * Returns a factory of counters for hot paths, where counting is one addition. `of` returns the
 * same object for the same labels, so callers may store it.
 */
function tallyOn(registry: Registry) {
  return <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    type Labels = Readonly<Record<Label, string>>
    const counts = new Map<string, { readonly labels: Labels; readonly count: Count }>()
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const { labels, count } of counts.values()) this.inc(labels, count.value)
      },
    })
    return {
      of(labels: Labels): Count {
        const key = labelNames.map((label) => labels[label]).join(' ')
        const known = counts.get(key)
        if (known !== undefined) return known.count
        const count = { value: 0 }
        counts.set(key, { labels: { ...labels }, count })
        return count
      },
    }
  }
}
