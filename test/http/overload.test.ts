import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { refuseOverload } from '../../src/http/door/overload.ts'
import { createLog } from '../../src/log.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { aServer, customer } from '../helpers/actors.ts'
import { expectData, expectError } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { scrape } from '../helpers/metrics.ts'
import { connectTo, exchange } from '../helpers/rawHttp.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

const inProgressMax = 5
const patienceMs = 30_000
const lines: string[] = []
const destination = new PassThrough()
destination.on('data', (data: Buffer) => lines.push(data.toString()))
const server = useTestApp(
  {
    REQUESTS_IN_PROGRESS_MAX: String(inProgressMax),
    // Without the database's timeouts a lock holds requests for longer than others wait for a place.
    PREPARED_STATEMENTS: 'off',
    // Nobody is cut off here for being slow: that would give a place up, too.
    HEADERS_TIMEOUT_SECONDS: '300',
    REQUEST_TIMEOUT_SECONDS: '600',
  },
  { log: createLog('info', destination) },
)
let key: string
let quoteIds: string[]

beforeAll(async () => {
  const { database } = server.deps
  const tenantId = await aTenant(database)
  key = (await aKey(database, tenantId)).key
  const assetGroupId = await aGroup(database, tenantId)
  const period = { assetGroupId, pickupDatetime: inDays(3), dropoffDatetime: inDays(4) }
  quoteIds = []
  for (let index = 0; index < inProgressMax; index += 1) {
    const { quoteId } = expectData(await aServer(server, key).post('/quotes', period), 201)
    quoteIds.push(quoteId)
  }
})

const inProgress = async () => (await scrape(server)).get('rental_http_requests_in_progress')
const emptied = () => waitFor(async () => (await inProgress()) === 0, patienceMs)

/** Keeps every booking waiting until it is ended. */
async function lockBookings(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table bookings in access exclusive mode')
  return holder
}

/** As many bookings as there are places wait for a locked table while `work` is done. */
async function whileFull(work: () => Promise<void>): Promise<number[]> {
  const holder = await lockBookings()
  const held = quoteIds.map((quoteId) =>
    aServer(server, key)
      .book({ quoteId, customer }, quoteId)
      .then(({ status }) => status),
  )
  try {
    await waitFor(async () => (await inProgress()) === inProgressMax, patienceMs)
    await work()
  } finally {
    await holder.end()
  }
  return Promise.all(held)
}

const request = (last: string) =>
  `GET /api/v1/bookings/${randomUUID()} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${last}\r\n`

describe('a server that is full', () => {
  it('refuses what is too much at once, in the envelope, and recovers', async () => {
    const counted = async () => {
      const series = await scrape(server)
      const labels = 'operation="other",status="503",code="SERVICE_UNAVAILABLE"'
      const names = ['rental_overload_refusals_total', `rental_http_requests_total{${labels}}`]
      return names.map((name) => series.get(name) ?? 0)
    }
    const [before = 0, answersBefore = 0] = await counted()
    const statuses = await whileFull(async () => {
      const origin = 'https://shop.example'
      const partner = aServer(server, key)
      // At the same time: what holds the places gives up waiting for its lock after a while.
      const [refused, booking, ...probes] = await Promise.all([
        partner.get('/asset-groups', { origin }),
        partner.book({ quoteId: quoteIds[0], customer }),
        server.http.get('/healthz'),
        server.http.get('/readyz'),
      ])
      expectError(refused, 503, 'SERVICE_UNAVAILABLE')
      expectError(booking, 503, 'SERVICE_UNAVAILABLE')
      expect(probes.map(({ status }) => status)).toEqual([200, 200])
      expect(refused.headers).toMatchObject({
        'retry-after': '2',
        'access-control-allow-origin': origin,
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      })
      expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    })
    // Bookings that waited longer for the lock than they may are 503 too, and booked on repetition.
    for (const status of statuses) expect([202, 503]).toContain(status)
    expect(await counted()).toEqual([before + 2, answersBefore + 2])
    await emptied()
    for (const quoteId of quoteIds) {
      expectData(await aServer(server, key).book({ quoteId, customer }, quoteId), 202)
    }
    await waitFor(() => lines.join('').includes('overloaded: requests were refused'), patienceMs)
  })

  it('refuses a request however its path is spelled, and answers every probe', async () => {
    const ask = (line: string) =>
      exchange(
        server,
        `${line} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
      )
    await whileFull(async () => {
      const answers = await Promise.all(
        [
          'POST /%61pi/v1/quotes',
          'GET http://x/api/v1/asset-groups',
          'GET /docs',
          'GET /healthz',
          'GET /readyz',
          'GET /metrics',
        ].map(ask),
      )
      expect(answers.map(([answer]) => answer?.status)).toEqual([503, 503, 503, 200, 200, 200])
    })
    await emptied()
  })

  it('keeps the connection after a short body, and closes it rather than read a long one', async () => {
    const post = (length: number) =>
      `POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
    const chunked = 'POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const probe = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    await whileFull(async () => {
      const upgrade =
        'GET /api/v1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
      const [short, ...closed] = await Promise.all([
        exchange(server, `${post(100)}${'x'.repeat(100)}${probe}`),
        exchange(server, `${post(70_000)}${probe}`),
        // Of chunks nobody knows how many will come.
        exchange(server, `${chunked}2\r\n{}\r\n0\r\n\r\n${probe}`),
        // Node drops what stands behind it (decision 428).
        exchange(server, upgrade + probe),
      ])
      expect(short.map(({ status }) => status)).toEqual([503, 200])
      for (const [refused, ...others] of closed) {
        expect([refused?.status, refused?.headers['connection'], others]).toEqual([
          503,
          'close',
          [],
        ])
      }
    })
    await emptied()
  })

  it('answers a burst, and refuses of it only what has waited for a second', async () => {
    const sendOne = async () => {
      const sentMs = performance.now()
      const [answer] = await exchange(server, request('Connection: close\r\n'))
      return { status: answer?.status, waitedMs: performance.now() - sentMs }
    }
    const answers = await Promise.all(Array.from({ length: 8 * inProgressMax }, sendOne))
    const refused = answers.filter(({ status }) => status !== 404)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(inProgressMax)
    for (const { status } of refused) expect(status).toBe(503)
    // On a busy machine a second may not be enough for all: timers are right to a millisecond or so.
    for (const { waitedMs } of refused) expect(waitedMs).toBeGreaterThan(990)
    await emptied()
  })

  it('answers everything that one connection sent at once', async () => {
    const count = 4 * inProgressMax
    const requests = request('').repeat(count - 1) + request('Connection: close\r\n')
    const answers = await exchange(server, requests)
    expect(answers).toHaveLength(count)
    // One after the other, they need one place, and wait for no other.
    for (const { status } of answers) expect(status).toBe(404)
    await emptied()
  })
})

describe('a burst', () => {
  it('is worked off turn by turn: none begins more than there are places', async () => {
    const requestCount = 8 * inProgressMax
    const begunInTurns: number[] = []
    const handle: RequestListener = (_, response) => {
      begunInTurns.push((begunInTurns.pop() ?? 0) + 1)
      response.end()
    }
    const deps = { ...server.deps, metrics: openMetrics() }
    const listener = createServer(refuseOverload(deps, handle)).listen(0, '127.0.0.1')
    let accepted = 0
    listener.on('connection', () => {
      accepted += 1
    })
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const sockets = Array.from({ length: requestCount }, () => connect(port, '127.0.0.1'))
    await waitFor(() => accepted === requestCount, patienceMs)
    const answered = Promise.all(sockets.map((socket) => once(socket, 'data')))
    // All at once, so that the server finds all of them when it next looks.
    for (const socket of sockets) socket.write('GET /api/v1 HTTP/1.1\r\nHost: x\r\n\r\n')
    const countTurn = () => {
      begunInTurns.push(0)
      turn = setImmediate(countTurn)
    }
    let turn = setImmediate(countTurn)
    await answered
    clearImmediate(turn)
    for (const socket of sockets) socket.destroy()
    listener.close()
    expect(begunInTurns.reduce((sum, begun) => sum + begun, 0)).toBe(requestCount)
    expect(Math.max(...begunInTurns)).toBe(inProgressMax)
  })
})

describe('a place', () => {
  it('is not held by slow callers while their bodies are on the way', async () => {
    const head =
      'POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `X-Api-Key: ${key}\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n`
    const sockets = Array.from({ length: 2 * inProgressMax }, () => connectTo(server))
    for (const socket of sockets) {
      socket.write(head)
      // The server has read the head, and asks for the body.
      await once(socket, 'data')
      await emptied()
    }
    expectData(await aServer(server, key).get('/asset-groups'), 200)
    for (const socket of sockets) socket.destroy()
    await emptied()
  })
})

describe('an answer that took seconds', () => {
  it('says how long the window still lasts now, not when the request came', async () => {
    const holder = await lockBookings()
    const sentSeconds = Math.floor(Date.now() / 1000)
    const answer = await aServer(server, key).get(`/bookings/${randomUUID()}`)
    await holder.end()
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    const [, leftSeconds] = /;t=(\d+)$/.exec(answer.headers['ratelimit'] ?? '') ?? []
    // It was given up after two seconds and a half.
    const longestSeconds = Number(answer.headers['x-ratelimit-reset']) - sentSeconds - 2
    expect(Number(leftSeconds)).toBeLessThanOrEqual(Math.max(1, longestSeconds))
  })
})
