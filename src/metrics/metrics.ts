import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../version.ts'
import { type GaugeSources, registerGauges, registerRequestGauges } from './gauges.ts'
import { createInstruments, type Instruments } from './instruments.ts'

/** Everything about one running application that Prometheus may know. */
export interface Metrics extends Instruments {
  /** Adds the gauges that read from what was opened since. */
  watch(sources: GaugeSources): void
  watchRequests(inProgress: () => number, inProgressMax: number): void
  /** The text that is answered to a scrape, and its media type. */
  readonly contentType: string
  text(): Promise<string>
}

/** Opens a registry of its own: two applications in one process never count for each other. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  // CPU, memory, file descriptors, garbage collection and the delay of the event loop.
  collectDefaultMetrics({ register: registry })
  registerBuildInfo(registry)
  const instruments = createInstruments(registry)
  // Zero from the start: an alert can't compare a series that is missing.
  for (const result of ['done', 'failed']) instruments.housekeepingRuns.inc({ result }, 0)
  return {
    ...instruments,
    watch: (sources) => registerGauges(registry, sources),
    watchRequests: (inProgress, max) => registerRequestGauges(registry, inProgress, max),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function registerBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'rental_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version, node_version: process.versions.node }, 1)
}
