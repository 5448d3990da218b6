import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/config/projectRoot.ts'
import { customer } from '../helpers/actors.ts'
import { type CollectedSpan, type Collector, startCollector } from '../helpers/collector.ts'
import { inDays } from '../helpers/dates.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { createTestRedis } from '../helpers/redis.ts'
import { startReplica } from '../helpers/replica.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'

const server = 2
const client = 3
let database: OpenTestDatabase
let redis: Awaited<ReturnType<typeof createTestRedis>>
let collector: Collector
let key: string
let assetGroupId: string

beforeAll(async () => {
  ;[database, redis, collector] = await Promise.all([
    openTestDatabase(),
    createTestRedis(),
    startCollector(),
  ])
  const tenantId = await aTenant(database.database)
  key = (await aKey(database.database, tenantId)).key
  assetGroupId = await aGroup(database.database, tenantId)
})
afterAll(async () => {
  collector.close()
  await redis.release()
  await database.drop()
})

/** Creates a quote and a booking, each in a trace of the caller, then stops the server. */
async function bookTraced(env: Record<string, string>) {
  const replica = await startReplica({ databaseUrl: database.url, redisUrl: redis.url, env })
  const post = async (path: string, body: object) => {
    const traceId = randomBytes(16).toString('hex')
    const parentId = randomBytes(8).toString('hex')
    const response = await fetch(`${replica.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        traceparent: `00-${traceId}-${parentId}-01`,
      },
      body: JSON.stringify(body),
    })
    const { data } = (await response.json()) as { data: Record<string, string> }
    return { traceId, parentId, status: response.status, data }
  }
  const period = { assetGroupId, pickupDatetime: inDays(3), dropoffDatetime: inDays(4) }
  const quote = await post('/quotes', period)
  const booking = await post('/bookings', { quoteId: quote.data['quoteId'], customer })
  const poll = await fetch(`${replica.url}/api/v1/bookings/${booking.data['bookingId']}?again=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(poll.status).toBe(200)
  // SIGINT skips the drain phase.
  replica.signal('SIGINT')
  expect(await replica.exited).toBe(0)
  return { quote, booking, lines: replica.lines().join('\n') }
}

const childrenOf = (parent: CollectedSpan) =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

describe('tracing', () => {
  it('continues the caller’s trace to statements and limits and sends spans before shutdown ends', async () => {
    const { quote, booking, lines } = await bookTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_SERVICE_NAME: 'north',
      TRACEPARENT: 'continue',
    })
    expect([quote.status, booking.status]).toEqual([201, 202])
    for (const [name, { traceId, parentId, status }] of [
      ['createQuote', quote],
      ['createBooking', booking],
    ] as const) {
      const [span] = collector.spans.filter((one) => one.name === name)
      if (span === undefined) throw new Error(`There is no span ${name}`)
      expect(span).toMatchObject({ traceId, parentSpanId: parentId, kind: server })
      expect(span.attributes).toEqual({
        'http.request.method': 'POST',
        'http.route': expect.stringMatching(/^\/api\/v1\/(quotes|bookings)$/),
        'http.response.status_code': String(status),
        'url.scheme': 'http',
      })
      expect(span.resource).toMatchObject({
        'service.name': 'north',
        'service.version': version,
        'deployment.environment.name': 'test',
      })
      const children = childrenOf(span)
      expect(children.map(({ kind }) => kind)).toEqual(children.map(() => client))
      expect(children.map((child) => child.name)).toContain('limiter')
      expect(lines).toContain(`"traceId":"${traceId}"`)
    }
    const statements = collector.spans.filter(({ attributes }) => attributes['db.system.name'])
    const byTrace = (traceId: string) =>
      statements.filter((span) => span.traceId === traceId).map(({ name }) => name)
    expect(byTrace(quote.traceId).length).toBeGreaterThan(0)
    expect(byTrace(booking.traceId)).toContain('redeem_quote')
    const [poll] = collector.spans.filter(({ name }) => name === 'getBooking')
    if (poll === undefined) throw new Error('There is no span getBooking')
    expect(poll.attributes['http.route']).toBe('/api/v1/bookings/:id')
    expect(childrenOf(poll).map(({ name }) => name)).toContain('booking_of_key')
    // Spans contain no keys, personal data or values.
    const exported = JSON.stringify(collector.spans)
    const bookingId = booking.data['bookingId'] ?? ''
    const secrets = [key, key.slice(8, 20), customer.lastName, customer.email]
    for (const secret of [...secrets, assetGroupId, bookingId, 'again=1']) {
      expect(exported).not.toContain(secret)
    }
    expect(lines).toContain('"phase":"flush traces"')
  })

  it('sends no spans when OTEL_SDK_DISABLED is true', async () => {
    collector.spans.length = 0
    const { lines } = await bookTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SDK_DISABLED: 'true',
    })
    expect(collector.spans).toEqual([])
    expect(lines).not.toContain('traceId')
    expect(lines).not.toContain('flush traces')
  })
})
