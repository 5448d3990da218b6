import { ROOT_CONTEXT } from '@opentelemetry/api'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import { localLimiter } from '../../src/limiter/localLimiter.ts'
import { endCall, spansOf, traceLimiter } from '../../src/tracing/calls.ts'

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

it('a traced limiter says of each call which limit it was about, and what it allowed', async () => {
  const ended: unknown[] = []
  const onEnd = ({ name, attributes }: ReadableSpan) => void ended.push([name, attributes])
  const idle = async () => {}
  const processor = { onStart() {}, onEnd, forceFlush: idle, shutdown: idle }
  const spans = spansOf(new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test'))
  const limiter = traceLimiter(
    localLimiter(() => new Date()),
    spans,
  )
  const windows = ['a', 'b'].map((name) => ({ name, limit: 1, windowSeconds: 60 }))
  await spans.current.run(ROOT_CONTEXT, async () => {
    // Only looks, so that the next is still allowed.
    await limiter.consume('s', windows, { count: false })
    const counted = await limiter.consume('s', windows)
    await limiter.consume('s', windows)
    await limiter.giveBack('s', counted, 'b')
  })
  const said = (limit: string, allowed: boolean) => [
    'limiter',
    { 'rental.limit': limit, 'rental.allowed': allowed },
  ]
  const allowed = [true, true, false].map((is) => said('a', is))
  expect(ended).toEqual([...allowed, said('b', true)])
})

it('a traced limiter tells readiness as before that limits are not shared', () => {
  const limiter = { ...localLimiter(() => new Date()), degraded: () => true }
  expect(traceLimiter(limiter, spansOf(tracer)).degraded()).toBe(true)
})
