import process from 'node:process'
import { type FastifyRequest, fastify } from 'fastify'
import { Redis } from 'ioredis'
import { requestTimeouts } from '../src/db/connection/timeouts.ts'
import { countAvailability } from '../src/db/queries/bookings/availability.ts'
import { findBooking, redeemQuote } from '../src/db/queries/bookings/redeemQuote.ts'
import { catalogReader } from '../src/db/queries/catalog/loadCatalog.ts'
import { type NewQuote, quoteStore } from '../src/db/queries/quotes/storeQuote.ts'
import type { BookingDetails } from '../src/input/bookingDetails.ts'
import { redisLimiter } from '../src/limiter/redisLimiter.ts'
import { openPool } from '../test/helpers/openPool.ts'
import type { SeededCaller } from './http/seed.ts'

// A lower bound for the cost of each request: Fastify without hooks, schemas, logs or checks. It makes the
// API's calls of the limiter and the database with the API's own modules.

/** The seeded callers and the API's responses. Received once, before the measurements. */
interface Setup {
  readonly callers: readonly SeededCaller[]
  readonly bodies: Readonly<Record<'groups' | 'rates' | 'quote', object>>
  readonly stored: Pick<NewQuote, 'inputs' | 'breakdown'>
}

const limiter = redisLimiter(new Redis(process.env['REDIS_URL'] ?? ''))
const database = openPool(process.env['DATABASE_URL'] ?? '', {
  poolMax: 10,
  timeouts: requestTimeouts,
  plans: 'byIndex',
  onConnectionLost(error) {
    throw error
  },
})
const storeQuote = quoteStore(database)
const windows = [{ name: 'reads', limit: 1_000_000_000, windowSeconds: 60 }]
const limit = (keyId: string) => limiter.consume(keyId, windows)

const callers = new Map<string, SeededCaller>()
const bodies = new Map<string, Buffer>()
let stored: Setup['stored'] | undefined
let catalogVersion = ''

const app = fastify()
const callerOf = ({ headers }: Pick<FastifyRequest, 'headers'>) => {
  const caller = callers.get(headers.authorization ?? '')
  if (caller === undefined) throw new Error('Unknown key')
  return caller
}

app.get('/readyz', async () => ({ status: 'ready' }))
app.post<{ Body: Setup }>('/setup', async ({ body }) => {
  for (const caller of body.callers) callers.set(`Bearer ${caller.key}`, caller)
  for (const [name, content] of Object.entries(body.bodies)) {
    bodies.set(name, Buffer.from(JSON.stringify(content)))
  }
  stored = body.stored
  catalogVersion = (await catalogReader(database)(body.callers[0]?.tenantId ?? '')).version
  return {}
})

for (const [path, name] of [
  ['/api/v1/asset-groups', 'groups'],
  ['/api/v1/asset-groups/:id/rates', 'rates'],
] as const) {
  app.get(path, async (request, reply) => {
    await limit(callerOf(request).keyId)
    if (request.headers['if-none-match'] !== undefined) {
      return reply.code(304).header('etag', request.headers['if-none-match']).send()
    }
    return reply.type('application/json').send(bodies.get(name))
  })
}

interface Named {
  Params: { id: string }
  Querystring: { from: string; to: string }
}

app.get<Named>('/api/v1/asset-groups/:id/availability', async (request) => {
  const { keyId, tenantId } = callerOf(request)
  const { from, to } = request.query
  await limit(keyId)
  const window = { from: new Date(from), to: new Date(to) }
  return { data: await countAvailability(database.reads, tenantId, request.params.id, window) }
})

app.get<Named>('/api/v1/bookings/:id', async (request) => {
  const { keyId, tenantId } = callerOf(request)
  await limit(keyId)
  const booking = await findBooking(database, tenantId, keyId, request.params.id)
  return { data: { ...booking, totalMinor: booking?.totalMinor.toString() } }
})

interface QuoteRequest {
  Body: { assetGroupId: string; pickupDatetime: string; dropoffDatetime: string }
}

app.post<QuoteRequest>('/api/v1/quotes', async (request, reply) => {
  const { keyId: apiKeyId, tenantId } = callerOf(request)
  const { assetGroupId, pickupDatetime, dropoffDatetime } = request.body
  await limit(apiKeyId)
  const quote = await storeQuote({
    tenantId,
    apiKeyId,
    sessionId: null,
    assetGroupId,
    catalogVersion,
    pickupAt: new Date(pickupDatetime),
    dropoffAt: new Date(dropoffDatetime),
    totalMinor: 187_125n,
    currency: 'NOK',
    ttlSeconds: 1_800,
    ...(stored as Setup['stored']),
  })
  if (quote === undefined) throw new Error('No quote was stored')
  return reply.code(201).type('application/json').send(bodies.get('quote'))
})

app.post<{ Body: BookingDetails & { readonly quoteId: string } }>(
  '/api/v1/bookings',
  async (request, reply) => {
    const { keyId: apiKeyId, tenantId } = callerOf(request)
    await limit(apiKeyId)
    const idempotencyKey = String(request.headers['idempotency-key'])
    const { quoteId, ...details } = request.body
    const attempt = { tenantId, apiKeyId, sessionId: null, idempotencyKey, quoteId, details }
    const { outcome, booking } = await redeemQuote(database, attempt)
    if (booking === undefined) throw new Error(outcome)
    return reply.code(202).send({ data: { ...booking, totalMinor: booking.totalMinor.toString() } })
  },
)

process.once('SIGINT', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
