import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { traceLimiter } from '../../src/tracing/calls.ts'
import { endCall, spansOf } from '../../src/tracing/spans.ts'

const tracer = new BasicTracerProvider().getTracer('test')

it.each([
  ['an error by its name', new Error('kari@example.com is taken'), 'Error'],
  ['a database’s error by its code', Object.assign(new Error('kari'), { code: '23505' }), '23505'],
  ['whatever else was thrown by its type', 'kari', 'string'],
])('a failed call tells %s, since messages may quote what a caller sent', (_, failure, kind) => {
  const span = tracer.startSpan('call')
  endCall(span, failure)
  const { attributes, status } = span as unknown as ReadableSpan
  expect(attributes).toEqual({ 'error.type': kind })
  expect(status.message).toBeUndefined()
})

it('a traced limiter tells readiness as before that limits are not shared', () => {
  const limiter = { ...localLimiter(() => new Date()), degraded: () => true }
  expect(traceLimiter(limiter, spansOf(tracer)).degraded?.()).toBe(true)
})
