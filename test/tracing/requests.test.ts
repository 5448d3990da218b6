import { once } from 'node:events'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
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
  traceRequests(app, '/api/', spansOf(provider.getTracer('test')))
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

it('traceRequests records the route when the path is percent-encoded', async () => {
  const count = () => exporter.getFinishedSpans().length
  const before = count()
  expect((await fetch(`${url}/%61pi/fine`)).status).toBe(200)
  await waitFor(() => count() > before, patienceMs)
  expect(exporter.getFinishedSpans().at(-1)?.attributes['http.route']).toBe('/api/fine')
})
