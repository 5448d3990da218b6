import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spansOf, traceDatabase } from '../../src/tracing/calls.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const spans = spansOf(provider.getTracer('test'))
const test = useTestDatabase(beforeAll, 1)
let pool: pg.Pool

beforeAll(() => {
  pool = test.database.pool
  traceDatabase(pool, spans)
})
afterAll(() => provider.shutdown())

/** Runs `work` in a new trace and returns the trace id. */
async function inTrace(work: () => Promise<unknown>): Promise<string> {
  const span = spans.tracer.startSpan('request', {}, ROOT_CONTEXT)
  await spans.current.run(trace.setSpan(ROOT_CONTEXT, span), work)
  return span.spanContext().traceId
}

const statementsOf = (traceId: string) =>
  exporter
    .getFinishedSpans()
    .filter((span) => span.spanContext().traceId === traceId)
    .map(({ name }) => name)

describe('statement spans', () => {
  it('assigns a statement to the trace of its request when it waits for a connection', async () => {
    const named = (name: string) => ({ name, text: 'select pg_sleep(0.01)' })
    const transaction = async () => {
      const client = await pool.connect()
      await client.query('begin')
      await client.query(named('within'))
      await client.query('commit')
      client.release()
    }
    const [first, second, third] = await Promise.all([
      inTrace(() => pool.query(named('first'))),
      inTrace(transaction),
      inTrace(() => pool.query(named('third'))),
    ])
    expect(statementsOf(first)).toEqual(['first'])
    expect(statementsOf(second)).toEqual(['begin', 'within', 'commit'])
    expect(statementsOf(third)).toEqual(['third'])
  })

  it('records the SQLSTATE and no values when a statement fails', async () => {
    const statement = `select 'Kari Nordmann'::uuid`
    const withinTransaction = async () => {
      const client = await pool.connect()
      await client.query(statement).catch(() => {})
      client.release()
    }
    for (const run of [() => pool.query(statement).catch(() => {}), withinTransaction]) {
      const failed = await inTrace(run)
      const [span] = exporter
        .getFinishedSpans()
        .filter((one) => one.spanContext().traceId === failed)
      expect(span?.attributes['error.type']).toBe('22P02')
      expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain('Kari')
    }
  })

  it.each([
    ['alone', `select 'Kari'`],
    ['with its values', { text: `select $1::text, 'Kari'`, values: ['Nordmann'] }],
    ['with an empty name', { name: '', text: `select 'Kari'` }],
  ])('records only the first keyword of an unnamed statement %s', async (_, given) => {
    const traceId = await inTrace(() => pool.query(given as pg.QueryConfig))
    const [span] = exporter
      .getFinishedSpans()
      .filter((one) => one.spanContext().traceId === traceId)
    expect(span?.name).toBe('select')
    expect(span?.attributes['db.query.summary']).toBe('select')
    expect(span?.attributes['db.system.name']).toBe('postgresql')
  })
})
