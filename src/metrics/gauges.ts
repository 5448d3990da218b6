import { Gauge, type Registry } from 'prom-client'

/** What is looked at when somebody asks for the metrics, and costs nothing meanwhile. */
export interface GaugeSources {
  readonly pool: {
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
  }
  degraded(): boolean
  draining(): boolean
}

/** Registers the gauges that read how things stand. */
export function registerGauges(
  registry: Registry,
  { pool, degraded, draining }: GaugeSources,
): void {
  const gauge = gaugesOf(registry)
  new Gauge({
    name: 'rental_database_connections',
    help: 'Connections of the pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  gauge(
    'rental_database_waiting',
    'Statements waiting for a connection of the pool.',
    () => pool.waitingCount,
  )
  gauge('rental_limiter_degraded', '1 while limits are counted in the process, not in Redis.', () =>
    Number(degraded()),
  )
  gauge('rental_draining', '1 while the process shuts down.', () => Number(draining()))
}

/** Registers the gauges of the requests that are being worked on, and of how many may be. */
export function registerRequestGauges(
  registry: Registry,
  inProgress: () => number,
  inProgressMax: number,
): void {
  const gauge = gaugesOf(registry)
  gauge('rental_http_requests_in_progress', 'API requests in progress.', inProgress)
  gauge(
    'rental_http_requests_in_progress_max',
    'The most that may be in progress (REQUESTS_IN_PROGRESS_MAX).',
    () => inProgressMax,
  )
}

function gaugesOf(registry: Registry) {
  return (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
}
