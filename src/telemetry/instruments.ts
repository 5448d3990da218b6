import { Counter, Histogram, type Registry } from 'prom-client'

/** Buckets of the histogram, from a cached read to a request with several slow statements. */
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates counters and histograms. Do not use keys, tenants or paths as labels. */
export function createInstruments(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  return {
    requests: counter(
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
    limiterDecisions: counter(
      'rental_limiter_decisions_total',
      'Rate-limit decisions, by limit, decision and backend.',
      'limit',
      'decision',
      'counted_in',
    ),
    cacheLookups: counter(
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
