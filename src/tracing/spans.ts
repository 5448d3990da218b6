import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'

export type Spans = ReturnType<typeof spansOf>

/** Spans beneath the request that is being answered, wherever in the code that is. */
export function spansOf(tracer: Tracer) {
  /** The trace of the request that the running code works for. */
  const current = new AsyncLocalStorage<Context>()
  return {
    tracer,
    current,
    /** Begins a span for a call to another system; undefined outside of any request. */
    startCall(name: string, attributes: Attributes): Span | undefined {
      const parent = current.getStore()
      return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    },
  }
}

/** Ends a span, and records the kind of a failure only: messages may quote what a caller sent. */
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
