import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../config/projectRoot.ts'
import { unavailableReasons } from '../domain/errors.ts'

interface GaugeSources {
  readonly pool: Readonly<Record<'totalCount' | 'idleCount' | 'waitingCount', number>>
  degraded(): boolean
  draining(): boolean
}

export type Metrics = ReturnType<typeof openMetrics>

/** Opens metrics in a registry of their own, separate from other applications in the process. */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'rental_build_info',
    help: 'Always 1. The labels show the running version.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.versions.node }, 1)
  const instruments = createInstruments(registry)
  // Start at zero, because alerts cannot compare a missing series.
  for (const result of ['done', 'failed']) instruments.housekeepingRuns.inc({ result }, 0)
  for (const reason of unavailableReasons) instruments.unavailable.inc({ reason }, 0)

  function gauge(name: string, help: string, read: () => number): void {
    const own: Gauge = new Gauge({ name, help, registers, collect: () => own.set(read()) })
  }

  return {
    ...instruments,
    watch({ pool, degraded, draining }: GaugeSources): void {
      new Gauge({
        name: 'rental_database_connections',
        help: 'Open connections of the database pool, by state.',
        labelNames: ['state'],
        registers,
        collect() {
          this.set({ state: 'idle' }, pool.idleCount)
          this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
        },
      })
      const waiting = 'Statements waiting for a connection of the pool.'
      gauge('rental_database_waiting', waiting, () => pool.waitingCount)
      const inProcess = '1 while limits are counted in the process, not in Redis.'
      gauge('rental_limiter_degraded', inProcess, () => Number(degraded()))
      gauge('rental_draining', '1 while the process shuts down.', () => Number(draining()))
    },
    watchRequests(inProgress: () => number, inProgressMax: number): void {
      gauge('rental_http_requests_in_progress', 'Requests in progress, without probes.', inProgress)
      const most = 'Maximum number of requests in progress (REQUESTS_IN_PROGRESS_MAX).'
      gauge('rental_http_requests_in_progress_max', most, () => inProgressMax)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

/** Buckets of the histogram, from a cached read to a request with several slow statements. */
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates counters and histograms. Do not use keys, tenants or paths as labels. */
function createInstruments(registry: Registry) {
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
    unavailable: counter('rental_overload_refusals_total', 'Responses 503, by reason.', 'reason'),
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
      'Rows deleted or erased after their retention time, by housekeeping job.',
      'chore',
    ),
  }
}
