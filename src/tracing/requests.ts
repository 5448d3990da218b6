import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Spans } from './calls.ts'

/** Whether a request links its new trace to the caller's, or continues the caller's trace. */
export type TraceparentMode = 'link' | 'continue'

/** Creates a span for each request below `root`. Call it before any other hook is added. */
export function traceRequests(
  app: FastifyInstance,
  root: string,
  { tracer, current }: Spans,
  mode: TraceparentMode,
) {
  const propagator = new W3CTraceContextPropagator()
  const contexts = new WeakMap<FastifyRequest, Context>()

  app.addHook('onRequest', (request, reply, done) => {
    const { url, config } = request.routeOptions
    // Use the route, because the URL may be spelled differently.
    if (!(url ?? request.url).startsWith(root)) return done()
    const callers = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
    const caller = mode === 'link' && trace.getSpanContext(callers)
    const links = caller ? [{ context: caller }] : []
    const parent = caller ? ROOT_CONTEXT : callers
    const attributes = {
      'http.request.method': request.method,
      'url.scheme': request.protocol === 'https' ? 'https' : 'http',
      ...(url !== undefined && { 'http.route': url }),
    }
    const name = config?.operation?.operationId ?? 'other'
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, parent)
    reply.raw.once('close', () => endRequest(span, request, reply))
    request.traceId = span.spanContext().traceId
    const context = trace.setSpan(parent, span)
    contexts.set(request, context)
    current.run(context, done)
  })
  // After the body is received, code runs in the connection's context, not in the request's.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context === undefined) return done()
    current.run(context, done)
  })
}

function endRequest(span: Span, { errorCode }: FastifyRequest, { statusCode, raw }: FastifyReply) {
  if (raw.writableFinished) span.setAttribute('http.response.status_code', statusCode)
  const problem = raw.writableFinished ? errorCode : 'aborted'
  if (problem !== undefined) span.setAttribute('error.type', problem)
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
