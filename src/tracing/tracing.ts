import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Limiter } from '../limiter/limiter.ts'
import { spansOf, traceDatabase, traceLimiter } from './calls.ts'
import { type TraceparentMode, traceRequests } from './requests.ts'

const service = 'rental-booking-api'

export type Tracing = ReturnType<typeof openTracing>

/**
 * Opens tracing; OpenTelemetry reads endpoint, sampling and service name from the `OTEL_`
 * variables. Registers nothing globally, so that several applications in a process have separate
 * traces.
 */
export function openTracing(version: string, mode: TraceparentMode) {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const given = detectResources({ detectors: [envDetector] })
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const spans = spansOf(provider.getTracer(service, version))
  return {
    /** Call it before any other hook is added. */
    traceRequests: (app: FastifyInstance, root: string) => traceRequests(app, root, spans, mode),
    /** Call it before the pool opens a connection. */
    traceDatabase: (pool: pg.Pool) => traceDatabase(pool, spans),
    traceLimiter: (limiter: Limiter) => traceLimiter(limiter, spans),
    /** Sends the remaining spans and stops. */
    close: () => provider.shutdown(),
  }
}
