import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../config/projectRoot.ts'
import { createInstruments } from './instruments.ts'

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
