import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import type pg from 'pg'
import type { Limiter } from '../limiter/limiter.ts'

export type Spans = ReturnType<typeof spansOf>

export function spansOf(tracer: Tracer) {
  const current = new AsyncLocalStorage<Context>()
  return {
    tracer,
    current,
    /** Starts a span for a call to another system; returns undefined outside a request. */
    startCall(name: string, attributes: Attributes): Span | undefined {
      const parent = current.getStore()
      return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    },
  }
}

/** Ends a span. Records only the kind of a failure, because messages may quote client input. */
function endCall(span: Span, failure?: unknown): void {
  if (failure !== undefined && failure !== null) {
    span.setAttribute('error.type', kindOf(failure))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

function kindOf(failure: unknown): string {
  if (!(failure instanceof Error)) return typeof failure
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name
}

type AnyFunction = (...given: unknown[]) => unknown

/** Creates a span for every statement of the pool, with its name but without text and values. */
export function traceDatabase(pool: pg.Pool, spans: Spans): void {
  pool.on('connect', (client) => traceClient(client, spans))
  const connect = pool.connect.bind(pool) as AnyFunction
  // Otherwise a waiting callback would run in the trace of the request that released the connection.
  const connectInOwnTrace: AnyFunction = (callback) =>
    typeof callback === 'function'
      ? connect(AsyncResource.bind(callback as AnyFunction))
      : connect()
  pool.connect = connectInOwnTrace as typeof pool.connect
}

function traceClient(client: pg.PoolClient, spans: Spans): void {
  const query = client.query.bind(client) as AnyFunction
  const traced: AnyFunction = (...given) => {
    const name = nameOf(given[0])
    const span = spans.startCall(name, { 'db.system.name': 'postgresql', 'db.query.summary': name })
    if (span === undefined) return query(...given)
    const callback = given.at(-1)
    if (typeof callback === 'function') {
      const ended: AnyFunction = (error, ...rest) => {
        endCall(span, error)
        return callback(error, ...rest)
      }
      return query(...given.slice(0, -1), ended)
    }
    const result = query(...given)
    Promise.resolve(result).then(
      () => endCall(span),
      (error) => endCall(span, error),
    )
    return result
  }
  client.query = traced as typeof client.query
}

function nameOf(query: unknown): string {
  const { name, text }: Partial<pg.QueryConfig> =
    typeof query === 'string' ? { text: query } : Object(query)
  return name || (/^\s*(\w+)/.exec(text ?? '')?.[1]?.toLowerCase() ?? 'statement')
}

/** Returns the limiter with a span for each call. Spans do not include the subject. */
export function traceLimiter(limiter: Limiter, spans: Spans): Limiter {
  async function inSpan(call: () => ReturnType<Limiter['consume']>) {
    const span = spans.startCall('limiter', {})
    try {
      const decision = await call()
      span?.setAttribute('rental.allowed', decision.allowed)
      return decision
    } finally {
      span?.end()
    }
  }
  return {
    ...limiter,
    consume: (subject, windows, options) =>
      inSpan(() => limiter.consume(subject, windows, options)),
    release: (subject, decision, name) => inSpan(() => limiter.release(subject, decision, name)),
  }
}
