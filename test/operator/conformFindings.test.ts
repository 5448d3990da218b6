import { beforeAll, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.ts'
import { apiAt } from '../../src/conform/walk.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { addressOf, type Passing, useBrokenStubs } from './brokenStubs.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let apiKey: string
let baseUrl: string
beforeAll(async () => {
  const { database } = server.deps
  const tenantId = await aTenant(database)
  apiKey = (await aKey(database, tenantId, { origins: [origin] })).key
  // Long enough to be sent compressed.
  await aGroup(database, tenantId, { description: 'Roomy. '.repeat(200) })
  baseUrl = addressOf(server.app.server)
})
const brokenStub = useBrokenStubs(() => baseUrl)

/** Answers, by method, the end of the path without its query, and status; what is wrong in each. */
type Faults = Readonly<Record<string, (answer: Passing) => void>>

/** What is told instead of a rule that holds, by the first words of the rule. */
type Told = Readonly<Record<string, string>>

const words = (from: string | RegExp, to: string) => (answer: Passing) => {
  answer.text = answer.text.replace(from, to)
}
const without = (header: string) => (answer: Passing) => answer.headers.delete(header)
const says = (header: string, value: string) => (answer: Passing) =>
  answer.headers.set(header, value)
const more = words(/\}$/, ',"more":1}')

const expiresLater = (minutes: number) => (answer: Passing) => {
  const { expiresAt } = JSON.parse(answer.text).data
  const later = new Date(Date.parse(expiresAt) + minutes * 60_000)
  words(expiresAt, later.toISOString())(answer)
}

it.each<[Faults, Told]>([
  [
    {
      'DELETE asset-groups 405': without('allow'),
      'GET asset-groups 200': says('x-ratelimit-remaining', '5'),
      // The vehicle is free until as many tests have booked, which run in any order.
      'GET availability 200': (answer) => {
        const { available } = JSON.parse(answer.text).data
        words(`"available":${available}`, `"available":${!available}`)(answer)
      },
      'POST quotes 201': expiresLater(2),
      'POST bookings 400': words('customer.email', 'customer'),
      'POST bookings 202': (answer) => {
        answer.headers.delete('location')
        answer.headers.delete('idempotent-replayed')
      },
      'GET bookings 304': (answer) => Object.assign(answer, { status: 200 }),
      'OPTIONS bookings 204': says('access-control-allow-headers', 'authorization'),
      'GET asset-groups 403': without('access-control-allow-origin'),
      'POST quotes 401': words('SESSION_REQUIRED', 'SESSION_INVALID'),
    },
    {
      'another method': 'Allow does not name GET',
      'requests are counted': 'remaining was 5, then 5',
      'availability counts': 'available contradicts availableCount',
      'a quote is valid': 'it is valid for 32',
      'a booking without': 'the bad e-mail address is not named with it',
      'a booking is 202': 'Location is ""',
      'the same request': 'it is not marked as a replay',
      'a booking may': 'expected 304, got 200',
      'a preflight': 'x-session-token is not allowed',
      'an origin that': "the page's script can't read the refusal",
      "a browser's": 'expected 401 SESSION_REQUIRED, got 401 SESSION_INVALID',
    },
  ],
  [
    {
      'GET no-such-path 404': (answer) => Object.assign(answer, { status: 400 }),
      'DELETE asset-groups 405': more,
      'POST quotes 415': words('UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'),
      'GET availability 200': (answer) => {
        words('"available":false', '"available":true')(answer)
        words(/"availableCount":\d+/, '"availableCount":5')(answer)
      },
      'POST quotes 400': words('quantity', 'amount'),
      'POST bookings 202': words('"status":"pending"', '"status":"confirmed"'),
      'GET asset-groups 304': says('cache-control', 'private, max-age=3600'),
      'GET asset-groups 200': (answer) => {
        if (!answer.headers.has('content-encoding')) answer.headers.set('content-encoding', 'gzip')
      },
    },
    {
      'a path that': 'expected 404 NOT_FOUND, got 400 NOT_FOUND',
      'another method': '405 is not in the error envelope',
      'broken JSON': 'expected 415 UNSUPPORTED_MEDIA_TYPE, got 415 VALIDATION_ERROR',
      'availability counts': 'more is available than there is',
      'a quote is valid': 'the quantity is not named',
      'a booking is 202': 'its status is confirmed',
      'lists may': '/asset-groups: Cache-Control is "max-age=3600,private"',
      'a long list': 'it is compressed although identity was asked for',
    },
  ],
  [
    {
      'DELETE asset-groups 405': without('x-ratelimit-limit'),
      'POST quotes 415': says('x-ratelimit-remaining', '1.5'),
      'GET availability 200': says('cache-control', 'private'),
      'POST bookings 202': (answer) => {
        if (answer.headers.has('idempotent-replayed'))
          words(/"currency":"./, '"currency":"X')(answer)
      },
      'GET bookings 200': more,
      'GET rates 200': says('vary', 'Origin, Authorization, Accept-Encoding'),
      'GET asset-groups 200': (answer) => {
        if (answer.headers.get('content-encoding') === 'gzip')
          answer.headers.delete('content-encoding')
      },
    },
    {
      'another method': '405 has no header x-ratelimit-limit',
      'broken JSON': '415: x-ratelimit-remaining is not a whole number: 1.5',
      'availability counts': 'may be cached',
      'a booking is 202': '200 does not have "data" as its only key',
      'the same request': 'the answer is not the first one to the byte',
      'lists may': 'rates: Vary does not name x-api-key',
      'a long list': 'asked for the coding gzip, got none',
    },
  ],
  [
    {
      'GET rates 200': says('vary', 'Origin, Authorization, X-API-Key'),
      'GET bookings 200': words(/"createdAt":"[^"]+"/, '"createdAt":null'),
      'GET asset-groups 200': (answer) => {
        if (answer.headers.get('content-encoding') === 'br') answer.text = answer.text.slice(1)
      },
    },
    {
      'a booking is 202': 'createdAt',
      'lists may': 'rates: Vary does not name accept-encoding',
      'a long list': 'br is of another list',
    },
  ],
  [
    {
      'POST quotes 201': expiresLater(-2),
      'GET rates 200': says('vary', 'Origin, X-API-Key, Accept-Encoding'),
      'GET bookings 200': words('"status":"pending"', '"status":"approved"'),
    },
    {
      'a quote is valid': 'it is valid for 28',
      'a booking is 202': 'status',
      'lists may': 'rates: Vary does not name authorization',
    },
  ],
  [
    {
      'GET availability 200': words(/"from":"[^"]+"/, '"from":"tomorrow"'),
      'GET rates 200': says('vary', 'Authorization, X-API-Key, Accept-Encoding'),
      'GET bookings 200': words(/"estimatedTotal":"/, '$&NOK '),
      'OPTIONS bookings 204': says(
        'access-control-allow-headers',
        'Authorization, X-Session-Token',
      ),
    },
    {
      'availability counts': 'from',
      'a booking is 202': 'estimatedTotal',
      'lists may': 'rates: Vary does not name origin',
      'a preflight': 'idempotency-key is not allowed',
    },
  ],
  [
    {
      'GET availability 400': words(/"path":"[^"]*"/g, '"path":"from"'),
      'GET bookings 404': words('NOT_FOUND', 'QUOTE_NOT_FOUND'),
      'POST bookings 400': words(/idempotency-key/gi, 'key'),
      'POST bookings 422': words('IDEMPOTENCY_KEY_REUSED', 'VALIDATION_ERROR'),
      'POST bookings 404': words('QUOTE_NOT_FOUND', 'NOT_FOUND'),
      'POST sessions 400': words(/origin/gi, 'page'),
      'GET asset-groups 401': words('API_KEY_INVALID', 'API_KEY_REQUIRED'),
    },
    {
      'an unknown key': 'got 401 API_KEY_REQUIRED',
      'a malformed': 'got 401 API_KEY_REQUIRED',
      'availability counts': 'names no field',
      'an unknown id': 'got 404 QUOTE_NOT_FOUND',
      'a booking without': 'the header is not named',
      'the same key': 'got 422 VALIDATION_ERROR',
      'an unknown quote': 'got 404 NOT_FOUND',
      'a session without': 'the header is not named',
    },
  ],
  // However the address is given, and whatever is unknown beside what is known.
  [
    {
      'GET rates 200': words(/"name"/, '"more":1,"name"'),
      'GET bookings 200': words(/"bookingId":"[\da-f]{8}/, '"bookingId":"00000000'),
    },
    { 'a booking is 202': 'another booking is there' },
  ],
])('the kit tells each fault of a deployment, and nothing else: %j', async (faults, told) => {
  const url = await brokenStub((answer) => {
    const path = answer.path.replace(/\?.*/, '').replace(/\/[\da-f-]{36}$/, '')
    faults[`${answer.method} ${path.split('/').at(-1)} ${answer.status}`]?.(answer)
  })
  const deployment = { baseUrl: `${url}/api/v1/`, apiKey, origin }
  const { findings, bookings } = await conform(deployment)
  const broken = findings.filter(({ problem }) => problem !== undefined)
  expect(broken).toEqual(
    Object.entries(told).map(([rule, problem]) => ({
      rule: expect.stringMatching(new RegExp(`^${rule}`)),
      problem: expect.stringContaining(problem),
    })),
  )
  expect(bookings).toHaveLength(2)
})

it('the kit waits for the end of a minute’s limit, not of a day’s', async () => {
  let retryAfter = '61'
  const url = await brokenStub((answer) => {
    answer.status = 429
    answer.headers.set('retry-after', retryAfter)
  })
  const api = apiAt(url, apiKey, (seconds) => {
    throw new Error(`waits ${seconds} s`)
  })
  await expect(api.call('/asset-groups')).rejects.toThrow('waits 61 s')
  retryAfter = '62'
  expect((await api.call('/asset-groups')).status).toBe(429)
})
