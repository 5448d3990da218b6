import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'

/** Spans beneath the request that is being answered, wherever in the code that is. */
export interface Spans {
  readonly tracer: Tracer
  /** The trace of the request that the running code works for. */
  readonly current: AsyncLocalStorage<Context>
  /** Begins a span for a call to another system; undefined outside of any request. */
  startCall(name: string, attributes: Attributes): Span | undefined
}

export function spansOf(tracer: Tracer): Spans {
  const current = new AsyncLocalStorage<Context>()
  return {
    tracer,
    current,
    startCall(name, attributes) {
      const parent = current.getStore()
      if (parent === undefined) return undefined
      return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    },
  }
}

/** Ends a span, after a failure with what kind it was: messages may quote what a caller sent. */
export function endCall(span: Span, failure?: unknown): void {
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
