import { randomBytes, randomUUID, subtle } from 'node:crypto'
import process from 'node:process'
import { type FastifyInstance, fastify } from 'fastify'
import { Redis } from 'ioredis'
import { SignJWT } from 'jose'
import { openDatabase } from '../src/db/connection/database.ts'
import { runNamed } from '../src/db/connection/statement.ts'
import { requestTimeouts } from '../src/db/connection/timeouts.ts'
import { countAvailability } from '../src/db/queries/availability.ts'
import { findBooking } from '../src/db/queries/bookings.ts'
import { catalogReader } from '../src/db/queries/catalog.ts'
import { type NewQuote, quoteStore } from '../src/db/queries/quotes.ts'
import { redisLimiter } from '../src/limiter/redisLimiter.ts'

/**
 * What the parts alone can do: Fastify without hooks, schemas or logs, one decision of the limiter
 * where the API asks for one, one statement where it has one. No key, no check, no rule. Limiter and
 * statements are the API's own, with what they share between requests, so that what differs is what
 * we put around them. Run as a process of its own.
 */

const redeem = 'select * from redeem_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)'

const limiter = redisLimiter(new Redis(process.env['REDIS_URL'] ?? ''))
const database = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  poolMax: 10,
  preparedStatements: true,
  timeouts: requestTimeouts,
  onConnectionLost(error) {
    throw error
  },
})
const storeQuote = quoteStore(database)

const limit = () =>
  limiter.consume('floor', [{ name: 'reads', limit: 1_000_000_000, windowSeconds: 60 }])

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('Nothing was found')
  return row
}

/** The version by which a tenant's quotes are stored, read once. */
const versions = new Map<string, string>()

async function versionOf(tenantId: string): Promise<string> {
  const known = versions.get(tenantId)
  if (known !== undefined) return known
  const { version } = await catalogReader(database)(tenantId)
  versions.set(tenantId, version)
  return version
}

/** What the API answered to the same requests, sent along by the bench: the bytes by name. */
const kept = new Map<string, Buffer>()
const keptObjects = new Map<string, unknown>()

function serveReads(app: FastifyInstance): void {
  app.post('/keep/:name', async ({ params, body }) => {
    const { name } = params as { name: string }
    keptObjects.set(name, body)
    kept.set(name, Buffer.from(JSON.stringify(body)))
    return {}
  })
  app.get('/bytes/:name', async ({ params }, reply) => {
    await limit()
    return reply.type('application/json').send(kept.get((params as { name: string }).name))
  })
  app.get('/unchanged', async (_request, reply) => {
    await limit()
    return reply.code(304).header('etag', '"0123456789abcdef0123456789a"').send()
  })
  app.get('/availability/:tenantId/:groupId', async ({ params, query }) => {
    const { tenantId, groupId } = params as { tenantId: string; groupId: string }
    const { from, to } = query as { from: string; to: string }
    await limit()
    const window = { from: new Date(from), to: new Date(to) }
    return { data: found(await countAvailability(database.reads, tenantId, groupId, window)) }
  })
  app.get('/bookings/:tenantId/:keyId/:id', async ({ params }) => {
    const { tenantId, keyId, id } = params as { tenantId: string; keyId: string; id: string }
    await limit()
    const { totalMinor, ...booking } = found(await findBooking(database, tenantId, keyId, id))
    return { data: { ...booking, totalMinor: totalMinor.toString() } }
  })
}

function serveWrites(app: FastifyInstance): void {
  app.post('/sessions', async (_request, reply) => {
    await limit()
    await limit()
    const sessionToken = await new SignJWT({ origin: 'https://shop.example' })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(secret)
    reply.code(201)
    return { data: { sessionToken } }
  })
  app.post('/quotes', async ({ body }, reply) => {
    const { values } = body as { values: string[] }
    await limit()
    const [tenantId = '', apiKeyId = '', assetGroupId = '', from = '', to = ''] = values
    const quote: NewQuote = {
      tenantId,
      catalogVersion: await versionOf(tenantId),
      apiKeyId,
      sessionId: null,
      assetGroupId,
      pickupAt: new Date(from),
      dropoffAt: new Date(to),
      totalMinor: 187_125n,
      currency: 'NOK',
      ttlSeconds: 1_800,
      inputs: keptObjects.get('inputs') as NewQuote['inputs'],
      breakdown: keptObjects.get('breakdown') as NewQuote['breakdown'],
    }
    found(await storeQuote(quote))
    return reply.code(201).type('application/json').send(kept.get('quote'))
  })
  app.post('/bookings', async ({ body }, reply) => {
    const { values } = body as { values: unknown[] }
    await limit()
    const [row] = await runNamed<{ outcome: string }>(database, 'redeem_quote', redeem, values)
    if (row?.outcome !== 'ACCEPTED') throw new Error(row?.outcome)
    reply.code(202)
    return { data: row }
  })
}

const app = fastify()
const hmac = { name: 'HMAC', hash: 'SHA-256' }
const secret = await subtle.importKey('raw', randomBytes(32), hmac, false, ['sign'])
app.get('/readyz', async () => ({ status: 'ready' }))
serveReads(app)
serveWrites(app)
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: process.env['HOST'] ?? '', port: Number(process.env['PORT']) })
