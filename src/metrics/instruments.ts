import { Counter, Histogram, type Registry } from 'prom-client'
import { createTally } from './tally.ts'

/** From what a cached read takes to the three seconds after which every caller has an answer. */
const durationBucketsSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/**
 * What is counted while it happens. Labels take a bounded set of values: no key, tenant or path.
 */
export type Instruments = ReturnType<typeof createInstruments>

/** Registers the counters and the histogram; `docs/operations.md` says what each is for. */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const tally = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    createTally(registry, name, help, labelNames)
  return {
    requests: tally('rental_http_requests_total', 'Answered requests.', [
      'operation',
      'status',
      'code',
    ]),
    requestDuration: new Histogram({
      name: 'rental_http_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: ['operation', 'status'],
      buckets: durationBucketsSeconds,
      registers,
    }),
    overloadRefusals: counter(
      'rental_overload_refusals_total',
      'Requests refused because of overload.',
      [],
    ),
    quotes: counter('rental_quotes_total', 'Quotes made.', []),
    bookingAttempts: counter('rental_booking_attempts_total', 'Attempts to book, by outcome.', [
      'outcome',
      'replayed',
    ]),
    limiterDecisions: tally('rental_limiter_decisions_total', 'Decisions of rate limits.', [
      'limit',
      'decision',
      'counted_in',
    ]),
    cacheLookups: tally('rental_cache_lookups_total', 'Lookups of keys and catalogs in memory.', [
      'cache',
      'result',
    ]),
    housekeepingRuns: counter('rental_housekeeping_runs_total', 'Runs of housekeeping.', [
      'result',
    ]),
    deletedRows: counter(
      'rental_housekeeping_deleted_rows_total',
      'Rows deleted past their retention.',
      ['chore'],
    ),
  }
}
