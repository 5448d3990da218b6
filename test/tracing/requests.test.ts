import { once } from 'node:events'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiError } from '../../src/domain/errors.ts'
import { sendError } from '../../src/http/server/sendError.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { spansOf } from '../../src/tracing/calls.ts'
import { traceRequests } from '../../src/tracing/requests.ts'
import { waitFor } from '../helpers/waitFor.ts'

const patienceMs = 30_000
const lines: string[] = []
const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const app = fastify({ forceCloseConnections: true })
const caller = new AbortController()
let url: string

const spanOf = (path: string) =>
  waitFor(
    () => exporter.getFinishedSpans().find(({ attributes }) => attributes['http.route'] === path),
    patienceMs,
  )

beforeAll(async () => {
  const log = createLog('info', { write: (line) => lines.push(line) })
  app.setErrorHandler((error, _request, reply) => sendError(log, error, reply))
  traceRequests(app, '/api/', spansOf(provider.getTracer('test')), 'link')
  app.get('/api/fine', async () => 'fine')
  app.get('/page', async () => 'a page')
  app.get('/api/unknown', async () => {
    throw new ApiError('NOT_FOUND', 'Not here.')
  })
  app.get('/api/broken', async () => {
    throw new Error('broken')
  })
  app.get('/api/away', async () => {
    throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
  })
  app.get('/api/left', async ({ socket }) => {
    caller.abort()
    await once(socket, 'close')
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

it('traceRequests records an aborted request without a status, with error.type aborted', async () => {
  await expect(fetch(`${url}/api/left`, { signal: caller.signal })).rejects.toThrow('aborted')
  const { attributes } = await spanOf('/api/left')
  expect([attributes['http.response.status_code'], attributes['error.type']]).toEqual([
    undefined,
    'aborted',
  ])
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

it.each([
  ['starts a trace that the caller does not switch on', 'link', 'off', '01', 'none'],
  ['starts a trace that the caller does not switch off', 'link', 'on', '00', 'linked'],
  ['starts a trace that is linked to the caller’s', 'link', 'on', '01', 'linked'],
  ['continues a trace that the caller samples', 'continue', 'off', '01', 'continued'],
  ['does not record a trace that the caller does not sample', 'continue', 'on', '00', 'none'],
] as const)('%s with TRACEPARENT=%s', async (_, mode, sampling, flags, expected) => {
  const root = sampling === 'on' ? new AlwaysOnSampler() : new AlwaysOffSampler()
  const collected = new InMemorySpanExporter()
  const traced = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [new SimpleSpanProcessor(collected)],
  })
  const api = fastify()
  traceRequests(api, '/api/', spansOf(traced.getTracer('test')), mode)
  api.get('/api/fine', async () => 'fine')
  await api.inject({
    url: '/api/fine',
    headers: { traceparent: `00-${traceId}-${spanId}-${flags}` },
  })
  await api.close()
  const spans = collected.getFinishedSpans().map((span) => {
    const linked = span.links.map(({ context }) => [context.traceId, context.spanId])
    const continues = span.spanContext().traceId === traceId
    return { linked, continues, parentId: span.parentSpanContext?.spanId }
  })
  const outcomes = {
    none: [],
    linked: [{ linked: [[traceId, spanId]], continues: false, parentId: undefined }],
    continued: [{ linked: [], continues: true, parentId: spanId }],
  }
  expect(spans).toEqual(outcomes[expected])
})
