import { randomBytes, randomUUID, subtle } from 'node:crypto'
import process from 'node:process'
import { type FastifyInstance, fastify } from 'fastify'
import { Redis } from 'ioredis'
import { SignJWT } from 'jose'
import pg from 'pg'
import { countGroup } from '../../src/db/availability.ts'
import { consumeScript } from '../../src/limiter/scripts.ts'

/**
 * What the parts alone can do: Fastify without hooks, schemas or logs, one limiter call where the
 * API makes one, one statement where it makes one. No key, no check, no rule. The statements are
 * the API's own, so that what differs is what we put around them. Run as a process of its own.
 */

interface Floor {
  limit(windows?: number): Promise<unknown>
  select<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row>
}

const findBooking = `
select id, status, asset_group_id, pickup_at, dropoff_at, total_minor, currency, created_at
from bookings where tenant_id = $1 and id = $2 and api_key_id = $3`

const insertQuote = `
insert into quotes (tenant_id, api_key_id, asset_group_id, pickup_at, dropoff_at, total_minor,
  currency, inputs, breakdown, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '30 minutes')
returning id, expires_at`

const redeem = 'select * from redeem_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)'

function openFloor(): Floor {
  const redis = new Redis(process.env['REDIS_URL'] ?? '')
  redis.defineCommand('consumeWindows', { lua: consumeScript })
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
  const scripted = redis as Redis & {
    consumeWindows(count: number, ...rest: (string | number)[]): Promise<unknown>
  }
  return {
    limit: () => scripted.consumeWindows(1, 'rl:{floor}:reads', 1, 1, 1_000_000_000, 60),
    async select<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) {
      const { rows } = await pool.query<Row>({ name, text, values })
      if (rows[0] === undefined) throw new Error(`${name} found nothing`)
      return rows[0]
    },
  }
}

/** What the API answered to the same requests, sent along by the bench: the bytes by name. */
const kept = new Map<string, Buffer>()

function serveReads(app: FastifyInstance, { limit, select }: Floor): void {
  app.post('/keep/:name', async ({ params, body }) => {
    kept.set((params as { name: string }).name, Buffer.from(JSON.stringify(body)))
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
    const values = [tenantId, groupId, new Date(from), new Date(to), false, null]
    return { data: await select('count_availability', countGroup, values) }
  })
  app.get('/bookings/:tenantId/:keyId/:id', async ({ params }) => {
    const { tenantId, keyId, id } = params as { tenantId: string; keyId: string; id: string }
    await limit()
    return { data: await select('find_booking', findBooking, [tenantId, id, keyId]) }
  })
}

function serveWrites(app: FastifyInstance, { limit, select }: Floor): void {
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
    const { values } = body as { values: unknown[] }
    await limit()
    const price = [
      187_125,
      'NOK',
      kept.get('inputs')?.toString(),
      kept.get('breakdown')?.toString(),
    ]
    await select('insert_quote', insertQuote, [...values, ...price])
    return reply.code(201).type('application/json').send(kept.get('quote'))
  })
  app.post('/bookings', async ({ body }, reply) => {
    const { values } = body as { values: unknown[] }
    await limit()
    const row = await select<{ outcome: string }>('redeem_quote', redeem, values)
    if (row.outcome !== 'ACCEPTED') throw new Error(row.outcome)
    reply.code(202)
    return { data: row }
  })
}

const app = fastify()
const hmac = { name: 'HMAC', hash: 'SHA-256' }
const secret = await subtle.importKey('raw', randomBytes(32), hmac, false, ['sign'])
const floor = openFloor()
app.get('/readyz', async () => ({ status: 'ready' }))
serveReads(app, floor)
serveWrites(app, floor)
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: process.env['HOST'] ?? '', port: Number(process.env['PORT']) })
