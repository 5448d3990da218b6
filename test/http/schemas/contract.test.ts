import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { quotes } from '../../../src/db/schema/index.ts'
import { aPage, aServer, aVisitor, customer } from '../../helpers/actors.ts'
import { type TestApp, useTestApp } from '../../helpers/app.ts'
import {
  contractChecker,
  type Exchange,
  type OpenApiDocument,
  promisesOf,
} from '../../helpers/contract.ts'
import { inDays } from '../../helpers/dates.ts'
import { type Operation, operations } from '../../helpers/operations.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
/** The test breaks the database schema of this server. */
const broken = useTestApp()
const origin = 'https://shop.example'
const past = new Date(Date.now() - 60_000)
let document: OpenApiDocument
let tenantId: string
let groupId: string

beforeAll(async () => {
  document = (await server.app.inject('/openapi.json')).json()
  tenantId = await aTenant(server.deps.database)
  groupId = await aGroup(server.deps.database, tenantId)
})

type KeyValues = Parameters<typeof aKey>[2]
const keyWith = async (values: KeyValues = {}) =>
  (await aKey(server.deps.database, tenantId, { origins: [origin], ...values })).key
const keyOf = async (tenant: Parameters<typeof aTenant>[1]) =>
  (await aKey(server.deps.database, await aTenant(server.deps.database, tenant))).key

async function call(
  app: TestApp,
  { method, path, body }: Operation,
  headers: Record<string, string>,
): Promise<void> {
  const request = app.http[method](`/api/v1${path}`).set({
    'idempotency-key': randomUUID(),
    ...headers,
  })
  await (body === undefined ? request : request.send(body))
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Provokes every error of the request chain and of body parsing. */
async function meetTheChain(operation: Operation): Promise<void> {
  const send = (headers: Record<string, string>) => call(server, operation, headers)
  await send({})
  await send(bearer(generateApiKey()))
  await send(bearer(await keyWith({ revokedAt: past })))
  await send(bearer(await keyWith({ expiresAt: past })))
  await send(bearer(await keyOf({ status: 'suspended' })))
  await send(bearer(await keyOf({ subscription: 'cancelled' })))
  await send(bearer(await keyOf({ subscription: 'past_due' })))
  await send(bearer(await keyOf({ onlineBooking: false })))
  await send({ ...bearer(await keyWith()), origin: 'https://www.example.com' })
  await send(bearer(await keyWith({ scopes: [] })))
  const limits = { reads: 1, quotes: 1, sessions: 1, bookings: 1 }
  const limited = bearer(await keyWith({ limits }))
  await send(limited)
  await send(limited)
  await meetTheSession(operation)
  await call(
    server,
    { ...operation, path: operation.path.replace(/[\da-f-]{36}/, 'no-id').replace(/\?.*/, '') },
    bearer(await keyWith()),
  )
  if (operation.method === 'post') {
    const key = await keyWith()
    const post = (type: string, body: string) =>
      server.http
        .post(`/api/v1${operation.path}`)
        .set({ ...bearer(key), 'content-type': type })
        .send(body)
    await post('text/plain', 'hello')
    await post('application/json', `"${'x'.repeat(70_000)}"`)
    await post('application/json', '{}')
  }
  await rawWithTwoHosts(operation)
}

async function meetTheSession(operation: Operation): Promise<void> {
  const key = await keyWith()
  const page = { ...bearer(key), origin }
  await call(server, operation, page)
  await call(server, operation, { ...page, 'x-session-token': 'a.b.c' })
  const session = await aPage(server, key, origin).post('/sessions')
  server.clock.advanceSeconds(3_601)
  await call(server, operation, { ...page, 'x-session-token': session.body.data.sessionToken })
}

/** Sends a request with two Host headers, which is malformed for every operation. */
async function rawWithTwoHosts({ method, path }: Operation): Promise<void> {
  const { port } = server.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `${method.toUpperCase()} /api/v1${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`,
  )
  await text(socket)
}

/** Runs the booking flow and provokes every error in it. */
async function meetTheFlow(): Promise<void> {
  const key = await keyWith()
  const partner = aServer(server, key)
  const rental = {
    assetGroupId: groupId,
    pickupDatetime: inDays(10),
    dropoffDatetime: inDays(12),
  }
  const quote = async () => (await partner.post('/quotes', rental)).body.data.quoteId as string
  for (const path of ['/asset-groups', `/asset-groups/${groupId}/rates`]) {
    const { headers } = await partner.get(path)
    await partner.get(path, { 'if-none-match': headers['etag'] ?? '' })
  }
  await partner.get(`/asset-groups/${groupId}/availability?from=${inDays(1)}&to=${inDays(2)}`)
  await aPage(server, key, origin).post('/sessions')
  const unpriced = await aGroup(server.deps.database, tenantId, { rate: null })
  await partner.post('/quotes', { ...rental, assetGroupId: unpriced })

  const quoteId = await quote()
  const booked = await partner.book({ quoteId, customer }, 'once')
  await partner.book({ quoteId: await quote(), customer }, 'once')
  await partner.book({ quoteId, customer })
  const visitor = await aVisitor(server, key, origin)
  await visitor.book({ quoteId: await quote(), customer })
  const expired = await quote()
  await server.deps.database.orm
    .update(quotes)
    .set({ expiresAt: sql`now()` })
    .where(eq(quotes.id, expired))
  await partner.book({ quoteId: expired, customer })
  await meetATwin(key, await quote())
  const path = `/bookings/${booked.body.data.bookingId}`
  const { headers } = await partner.get(path)
  await partner.get(path, { 'if-none-match': headers['etag'] ?? '' })
}

async function meetATwin(key: string, quoteId: string): Promise<void> {
  const { orm, pool } = server.deps.database
  const [row] = await orm.select().from(quotes).where(eq(quotes.id, quoteId))
  const twin = await pool.connect()
  await twin.query('begin')
  const scope = `${tenantId}/${row?.apiKeyId}/server/twin`
  await twin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [scope])
  await aServer(server, key).book({ quoteId, customer }, 'twin')
  await twin.query('rollback')
  twin.release()
}

/** Calls every operation while a table is locked, and again with a renamed column. */
async function meetTheDatabase(): Promise<void> {
  const { database } = broken.deps
  const tenant = await aTenant(database)
  const fresh = async () => bearer((await aKey(database, tenant)).key)
  const keys = await Promise.all([...operations, ...operations].map(fresh))
  const client = new pg.Client({ connectionString: broken.databaseUrl })
  await client.connect()
  await client.query('begin; lock table api_key_secrets in access exclusive mode')
  await Promise.all(operations.map((operation, n) => call(broken, operation, keys[n] ?? {})))
  await client.query('rollback; alter table api_key_secrets rename column ends_at to gone')
  await client.end()
  for (const [n, operation] of operations.entries()) {
    await call(broken, operation, keys[n + operations.length] ?? {})
  }
}

describe('OpenAPI document', () => {
  it('documents only statuses, codes and messages that the API returns', async () => {
    for (const operation of operations) await meetTheChain(operation)
    await meetTheFlow()
    await meetTheDatabase()
    const met = new Set([...server.met, ...broken.met])
    expect(promisesOf(document).filter((promise) => !met.has(promise))).toEqual([])
  })

  it('the contract check fails for a missing or an undocumented field, a missing header and for an undocumented code or status', () => {
    const { check } = contractChecker(document)
    const headers = {
      'x-ratelimit-limit': 300,
      'x-ratelimit-remaining': 299,
      'x-ratelimit-reset': 1_800_000_000,
      ratelimit: '"reads";r=299;t=60',
      'ratelimit-policy': '"reads";q=300;w=60',
      'x-request-id': randomUUID(),
      etag: '"x"',
      'cache-control': 'private, max-age=30',
      vary: 'Origin, Authorization, X-Api-Key, Accept-Encoding',
    }
    const group = {
      id: randomUUID(),
      name: 'Economy',
      category: 'car',
      description: null,
      imageUrl: null,
    }
    const response = (changes: Partial<Exchange>): Exchange => ({
      method: 'GET',
      url: '/api/v1/asset-groups',
      requestHeaders: {},
      requestBody: '',
      status: 200,
      headers,
      body: JSON.stringify({ data: [group] }),
      ...changes,
    })
    const { name: _, ...nameless } = group
    const error = { code: 'QUOTE_EXPIRED', message: 'no' }
    expect(check(response({}))).toEqual([])
    for (const wrong of [nameless, { ...group, secret: 'field' }])
      expect(check(response({ body: JSON.stringify({ data: [wrong] }) }))).not.toEqual([])
    for (const name of ['etag', 'cache-control', 'vary']) {
      const without = { ...headers, [name]: undefined }
      expect(check(response({ headers: without })), name).not.toEqual([])
    }
    expect(check(response({ status: 403, body: JSON.stringify({ error }) }))).not.toEqual([])
    expect(check(response({ status: 418 }))).not.toEqual([])
  })
})
