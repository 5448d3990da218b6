import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../src/auth/keyFormat.ts'
import { useTestApp } from '../helpers/app.ts'
import { fromNow, inDays } from '../helpers/dates.ts'
import { expectError, expectLimitHeaders, type TestResponse } from '../helpers/responses.ts'
import { type FuzzDocument, type FuzzedRequest, type FuzzWorld, requests } from './requests.ts'
import { aWorld } from './world.ts'

/** `FUZZ_SEED=1 npx vitest run --mode full test/fuzz` repeats a run. */
const count = Number(process.env['FUZZ_REQUESTS'] ?? 1_500)
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const msPerRequest = 20
const quotesMax = 1_000

const server = useTestApp()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

/** A customer whose data must not appear in any response. */
const person = { firstName: 'Zqxvlkmfirst', lastName: 'Zqxvlkmlast', email: 'zqxvlkm@mail.example' }
const privateText = /zqxvlkm/i
let document: FuzzDocument
let world: FuzzWorld
let keys: readonly string[]

beforeAll(async () => {
  document = (await server.app.inject('/openapi.json')).json()
  const seeded = await aWorld(server)
  const session = await seeded.session()
  const visitor = { origin: seeded.origin, 'x-session-token': session }
  const quoteIds: string[] = []
  for (let n = 0; n < Math.min(count / 10, quotesMax); n++) quoteIds.push(await seeded.quote())
  const visitorQuotes = await Promise.all(
    Array.from({ length: 50 }, () => seeded.quote(seeded.key, visitor)),
  )
  const foreignQuote = await seeded.quote(seeded.otherKey)
  keys = [seeded.key, seeded.otherKey, seeded.foreignKey]
  world = {
    keys: [...keys, generateApiKey()],
    origins: [seeded.origin, 'https://evil.example', 'null', ''],
    sessions: [session, await seeded.session(), `${session}x`, 'a.b.c'],
    pools: {
      assetGroupId: [seeded.group, seeded.group, seeded.groupWithoutRate, randomUUID()],
      extraId: [seeded.extra, seeded.extra, seeded.foreignExtra, randomUUID()],
      quoteId: [...quoteIds, ...visitorQuotes, foreignQuote, randomUUID()],
      bookingId: [randomUUID(), randomUUID(), quoteIds[0] ?? ''],
      pickupDatetime: [inDays(1), inDays(30), fromNow(-1)],
      dropoffDatetime: [inDays(2), inDays(31), inDays(390), fromNow(2)],
      from: [inDays(1), fromNow(-20)],
      to: [inDays(2), inDays(31), fromNow(2)],
      firstName: [person.firstName],
      lastName: [person.lastName, 'Zqxvlkm 😀'],
      email: [person.email],
      phone: ['+47 99 88 77 66'],
      pickupLocation: ['Zqxvlkmplace'],
      notes: ['Zqxvlkmnotes\nand more'],
    },
  }
})

async function responseTo({ method, path, headers, body }: FuzzedRequest): Promise<TestResponse> {
  const { port } = server.app.server.address() as AddressInfo
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, agent, method, path, headers }, resolve)
    request.on('error', reject)
    if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body))
    request.end(body)
  })
  const content = await text(response)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    text: content,
    body: content === '' ? {} : JSON.parse(content),
  }
}

/** Checks what holds for every response; other code checks it against the OpenAPI document. */
function check(request: FuzzedRequest, response: TestResponse): void {
  const { status, body, headers } = response
  expect(status).toBeLessThan(500)
  expectLimitHeaders(response)
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  if (status === 304) expect(response.text).toBe('')
  else if (status < 400) expect(Object.keys(body)).toEqual(['data'])
  else expectError(response, status, body.error?.code)
  expect(response.text).not.toMatch(privateText)
  for (const key of keys) expect(response.text).not.toContain(key)
  const token = request.headers['x-session-token'] ?? ''
  if (token.length > 20) expect(response.text).not.toContain(token)
}

/** Returns the number of rows that a response accounts for. */
function rowsOf({ status, body, headers }: TestResponse, { operationId }: FuzzedRequest) {
  const quote = operationId === 'createQuote' && status === 201 ? 1 : 0
  if (operationId !== 'createBooking' || headers['idempotent-replayed'] === 'true') {
    return { quotes: quote, bookings: 0, records: 0 }
  }
  const recorded = /^QUOTE_/.test(body.error?.code ?? '') || status === 202
  return { quotes: quote, bookings: status === 202 ? 1 : 0, records: recorded ? 1 : 0 }
}

async function rowCounts() {
  const { rows } = await server.deps.database.pool.query<Record<string, number>>(
    `select (select count(*) from quotes)::int as quotes,
            (select count(*) from bookings)::int as bookings,
            (select count(*) from idempotency_records)::int as records`,
  )
  return rows[0] ?? {}
}

/** Requests of a complete booking, sent first because random ones might never complete one. */
function honest(): FuzzedRequest[] {
  const { pools, origins, sessions } = world
  const [session = ''] = sessions
  const [origin = ''] = origins
  const headers = {
    authorization: `Bearer ${keys[0]}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const post = (operationId: string, path: string, body: object, more = {}): FuzzedRequest => ({
    operationId,
    method: 'POST',
    path: `/api/v1${path}`,
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  })
  const rental = {
    assetGroupId: pools['assetGroupId']?.[0],
    pickupDatetime: inDays(1),
    dropoffDatetime: inDays(2),
  }
  return [
    post('createSession', '/sessions', {}, { origin }),
    post('createQuote', '/quotes', rental),
    post('createQuote', '/quotes', rental, { origin, 'x-session-token': session }),
    post('createBooking', '/bookings', { quoteId: pools['quoteId']?.[0], customer: person }),
  ]
}

describe('the API under random requests', () => {
  it(
    `responds to ${count} random requests in the error envelope and writes no row for rejected ones`,
    async () => {
      process.stdout.write(`fuzz: ${count} requests, FUZZ_SEED=${seed}\n`)
      const before = await rowCounts()
      const sum = { quotes: 0, bookings: 0, records: 0 }
      const statuses = new Map<string, number>()
      const property = fc.asyncProperty(requests(document, world), async (request) => {
        const response = await responseTo(request)
        const rows = rowsOf(response, request)
        sum.quotes += rows.quotes
        sum.bookings += rows.bookings
        sum.records += rows.records
        const name = `${request.operationId} ${response.status}`
        statuses.set(name, (statuses.get(name) ?? 0) + 1)
        check(request, response)
      })
      const examples = honest().map((request): [FuzzedRequest] => [request])
      await fc.assert(property, { numRuns: count, seed, examples })
      const after = await rowCounts()
      for (const [table, rows] of Object.entries(sum)) {
        expect([table, (after[table] ?? 0) - (before[table] ?? 0)]).toEqual([table, rows])
      }
      // The random requests must include successful ones and ones rejected at each step.
      const met = [...statuses.keys()].sort()
      for (const name of ['createQuote 201', 'createBooking 202', 'createSession 201']) {
        expect(met).toContain(name)
      }
      for (const status of [200, 201, 202, 400, 401, 403, 404, 415]) {
        expect(met.some((name) => name.endsWith(` ${status}`))).toBe(true)
      }
    },
    600_000 + count * msPerRequest,
  )
})
