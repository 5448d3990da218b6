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
import { traceRequests } from './requests.ts'

const service = 'rental-booking-api'

export type Tracing = ReturnType<typeof openTracing>

/**
 * Opens tracing; where to, how much and under which name is read from the standard OTEL_ variables
 * by OpenTelemetry itself. Nothing is global: one application's spans never end up in another's
 * trace. This module and its libraries are loaded only when tracing is asked for.
 */
export function openTracing(version: string) {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const given = detectResources({ detectors: [envDetector] })
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const spans = spansOf(provider.getTracer(service, version))
  return {
    /** To be called before any other hook is added. */
    traceRequests: (app: FastifyInstance, root: string) => traceRequests(app, root, spans),
    /** To be called before the pool has a connection. */
    traceDatabase: (pool: pg.Pool) => traceDatabase(pool, spans),
    traceLimiter: (limiter: Limiter) => traceLimiter(limiter, spans),
    /** Sends what was not sent yet, and ends. */
    close: () => provider.shutdown(),
  }
}
