import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/apiKeys.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { expectData, expectError, expectLimitHeaders } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { answersIn, connectTo, exchange, type RawAnswer } from '../helpers/rawHttp.ts'
import { aKey, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

const patienceMs = 30_000
const server = useTestApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2' })
/** Cuts nobody off while a test runs. */
const patient = useTestApp({ HEADERS_TIMEOUT_SECONDS: '300', REQUEST_TIMEOUT_SECONDS: '600' })
let key: string

beforeAll(async () => {
  key = generateApiKey()
  for (const { deps } of [server, patient]) {
    const tenantId = await aTenant(deps.database)
    await aKey(deps.database, tenantId, { key, origins: ['https://a.example'] })
  }
})

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', `X-Api-Key: ${key}`, ...headers].join('\r\n')}\r\n\r\n`
const get = (...headers: string[]) => head('GET /api/v1/asset-groups HTTP/1.1', ...headers)
const json = 'Content-Type: application/json'

/** The only answer; resolves when the server has closed the connection. */
async function cutOff(bytes: string, app = server): Promise<RawAnswer> {
  const [answer, ...others] = await exchange(app, bytes)
  if (answer === undefined || others.length > 0) throw new Error('There was not one answer.')
  return answer
}

function expectTimeout(answer: RawAnswer): void {
  expectError(answer, 408, 'VALIDATION_ERROR')
  expect(answer.headers['connection']).toBe('close')
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  expect(Date.parse(answer.headers['date'] ?? '')).not.toBeNaN()
}

describe('the headers of a request', () => {
  it('may be a hundred', async () => {
    const more = (count: number) => Array.from({ length: count }, (_, n) => `A-${n}: b`)
    const [hundred] = await exchange(server, get('Connection: close', ...more(97)))
    expect(hundred?.status).toBe(200)
    const [beyond] = await exchange(server, get('Connection: close', ...more(98)))
    expect(beyond?.status).toBe(431)
  })
})

describe('a slow client', () => {
  it('has longer for a whole request than for its headers', () => {
    const { headersTimeout, requestTimeout } = server.app.server
    expect([headersTimeout, requestTimeout]).toEqual([1_000, 2_000])
  })

  it('is cut off with 408 in the envelope, wherever it stops, sooner than Node would', async () => {
    const startedMs = performance.now()
    const origin = 'Origin: https://a.example'
    const post = head('POST /api/v1/sessions HTTP/1.1', json, 'Content-Length: 100', origin)
    const chunks = head('POST /api/v1/quotes HTTP/1.1', json, 'Transfer-Encoding: chunked')
    const unfinished = [
      'GET /api/v1/asset-groups HTTP/1.1\r\nHost: x\r\nA:',
      `${post}{"a"`,
      `${chunks}4\r\n{"a"`,
      '',
    ]
    const answers = await Promise.all(unfinished.map((bytes) => cutOff(bytes)))
    for (const answer of answers) expectTimeout(answer)
    // What a page asked for is told to it.
    const readers = answers.map(({ headers }) => headers['access-control-allow-origin'])
    expect(readers).toEqual([undefined, 'https://a.example', undefined, undefined])
    // And another: by itself Node looks each half a minute, which may come in time once.
    expectTimeout(await cutOff(unfinished[0] ?? ''))
    // By itself Node waits a minute for the head.
    expect(performance.now() - startedMs).toBeLessThan(patienceMs)
  })

  it('that goes on after its 408, byte by byte, is cut off all the same', async () => {
    const accepted = once(server.app.server, 'connection')
    const { port } = server.app.server.address() as AddressInfo
    const slow = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const [connection] = await accepted
    const closed = new Promise((resolve) => connection.once('close', resolve))
    slow.write('GET /api/v1/asset-groups HTTP/1.1\r\nHost: x\r\nA:')
    const received: Buffer[] = []
    slow.on('data', (data) => received.push(data)).on('error', () => {})
    await once(slow, 'end')
    expectTimeout(answersIn(Buffer.concat(received))[0] as RawAnswer)
    // As long as it says something, no silence ends it.
    const dripping = setInterval(() => slow.write('a'), 100)
    onTestFinished(() => {
      clearInterval(dripping)
      slow.destroy()
    })
    await closed
  })

  it('of which there are 200 keeps nobody else waiting', async () => {
    const slow = Array.from({ length: 200 }, () => connectTo(patient))
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nHost: x\r\nA:')
    const connected = promisify(patient.app.server.getConnections.bind(patient.app.server))
    await waitFor(async () => (await connected()) >= slow.length, patienceMs)
    for (let n = 0; n < 50; n++) {
      const [answer] = await exchange(patient, get('Connection: close'))
      expect(answer?.status).toBe(200)
    }
    // All of them are still there: nobody had to wait until they were cut off.
    expect(await connected()).toBeGreaterThanOrEqual(slow.length)
    for (const socket of slow) socket.destroy()
  })
})

describe('a body in pieces', () => {
  it('is handed on in few, and whole, however short they are', async () => {
    const long = ' '.repeat(300)
    // The longest of what is gathered: none of it may be cut off where what gathers it is full.
    const short = Array.from({ length: 40 }, () => ' '.repeat(255))
    const middle = [...' '.repeat(9_000), ...short, '"pickupDatetime":2']
    const body = [...'{"extras":1,', long, ...middle, long, '}']
    const emitted: unknown[][] = []
    server.app.server.once('request', (request: IncomingMessage) => {
      const emit = request.emit.bind(request)
      request.emit = (event: string, ...given: unknown[]) =>
        emitted.push([event, ...given]) > 0 && emit(event, ...given)
    })
    const post = head('POST /api/v1/quotes HTTP/1.1', json, 'Transfer-Encoding: chunked')
    const chunks = body.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
    const broken = `${post}${chunks}0\r\n\r\n${get('Connection: close')}`
    const [answer, next] = await exchange(server, broken)
    expectError(answer as RawAnswer, 400, 'VALIDATION_ERROR')
    expect(answer?.text).toContain('"path":"pickupDatetime"')
    const pieces = emitted.flatMap(([event, piece]) => (event === 'data' ? (piece as Buffer) : []))
    expect(pieces.length).toBeLessThan(20)
    expect(Buffer.concat(pieces).toString()).toBe(body.join(''))
    expect(next?.status).toBe(200)
  })
})

describe('a body that nobody reads', () => {
  it.each<[string, string, string, number]>([
    ['a length', 'POST /api/v1/quotes HTTP/1.1', 'Content-Length: 100000', 401],
    ['chunks', 'POST /api/v1/quotes HTTP/1.1', 'Transfer-Encoding: chunked', 401],
    ['an unknown path', 'POST /nowhere HTTP/1.1', 'Content-Length: 100000', 404],
    ['a broken path', 'POST /%zz HTTP/1.1', 'Content-Length: 100000', 400],
    ['another method', 'PUT /api/v1/quotes HTTP/1.1', 'Content-Length: 100000', 405],
    ['a preflight', 'OPTIONS /api/v1/quotes HTTP/1.1', 'Content-Length: 100000', 204],
    ['a read', 'GET /healthz HTTP/1.1', 'Content-Length: 100000', 200],
  ])('closes the connection behind the answer: %s', async (_, line, length, status) => {
    const request = `${line}\r\nHost: x\r\n${json}\r\n${length}\r\n\r\nFFFF`
    const answer = await cutOff(request, patient)
    expect(answer.status).toBe(status)
    expect(answer.headers['connection']).toBe('close')
  })

  it('and is sent whole does not cost the caller the answer', async () => {
    const bytes = `POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 60000\r\n\r\n`
    for (let n = 0; n < 100; n++) {
      const socket = connectTo(server)
      socket.write(bytes + 'x'.repeat(60_000))
      const received: Buffer[] = []
      socket.on('data', (data) => received.push(data))
      // The server may keep this connection: the answer counts, not its end.
      const [answer] = await waitFor(
        () => received.length > 0 && answersIn(Buffer.concat(received)),
        patienceMs,
      )
      expectError(answer as RawAnswer, 401, 'API_KEY_REQUIRED')
      socket.destroy()
    }
  })

  it('if there is none, or all of it has come, the connection is kept', async () => {
    const answers = await exchange(
      server,
      `${head('POST /api/v1/quotes HTTP/1.1', 'Content-Length: 0')}${head('POST /api/v1/quotes HTTP/1.1', json, 'Content-Length: 2')}{}${get('Connection: close')}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
    for (const { headers } of answers.slice(0, 2)) expect(headers['connection']).not.toBe('close')
  })
})

describe('pipelined requests', () => {
  it('are answered in order, and garbage behind them does not get in front', async () => {
    const answers = await exchange(server, `${get().repeat(3)}GARBAGE\r\n\r\n${get()}`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    for (const answer of answers.slice(0, 3)) expectData(answer, 200)
    expectError(answers[3] as RawAnswer, 400, 'VALIDATION_ERROR')
  })

  it('are answered, too, when more come once the first have been', async () => {
    const socket = connectTo(server)
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(data))
    for (const count of [2, 4]) {
      socket.write(get().repeat(2))
      await waitFor(() => answersIn(Buffer.concat(received)).length === count, patienceMs)
    }
    socket.destroy()
  })

  it('are answered, too, when a tunnel is asked for behind them', async () => {
    const tunnel = 'CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n\r\n'
    const answers = await exchange(server, get().repeat(3) + tunnel)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 405])
    const refused = answers[3] as RawAnswer
    expectError(refused, 405, 'METHOD_NOT_ALLOWED')
    expect(refused.headers['access-control-allow-origin']).toBe('https://a.example')
    expect(refused.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
    expect(Date.parse(refused.headers['date'] ?? '')).not.toBeNaN()
  })

  it('behind one that asks for another protocol are refused by closing the connection', async () => {
    const answer = await cutOff(get('Connection: Upgrade', 'Upgrade: h2c') + get())
    expectData(answer, 200)
    expect(answer.headers['connection']).toBe('close')
  })

  it('behind an answer that closes the connection are never run', async () => {
    const session = head('POST /api/v1/sessions HTTP/1.1', 'Origin: https://a.example')
    const begun = { limit: 'sessions', decision: 'allowed', counted_in: 'redis' }
    const begunCount = () => server.deps.metrics.limiterDecisions.of(begun).value
    const before = begunCount()
    await cutOff(get('Expect: tea') + session)
    // Had it begun, it would be counted by now.
    const [answer] = await exchange(server, get('Connection: close'))
    expect(answer?.status).toBe(200)
    expect(begunCount()).toBe(before)
  })

  it('behind a refused length are never run', async () => {
    const smuggled = `POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nOrigin: https://a.example\r\n\r\n`
    const answers = await exchange(
      server,
      `${head('POST /api/v1/quotes HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([400])
  })
})

describe('a caller who has ended his half of the connection', () => {
  it('gets his answers, also those for which the database is asked', async () => {
    const socket = connectTo(server)
    socket.end(head(`GET /api/v1/bookings/${randomUUID()} HTTP/1.1`).repeat(3))
    const answers = answersIn(await buffer(socket))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})

describe('a caller who does not take his answers', () => {
  it('may ask a hundred times ahead, and is cut off with more', async () => {
    const served = await exchange(server, get().repeat(99) + get('Connection: close'))
    expect(served.map(({ status }) => status)).toEqual(Array(100).fill(200))
    const accepted = once(server.app.server, 'connection')
    const socket = connectTo(server)
    socket.on('error', () => {})
    const [connection] = await accepted
    const cut = once(connection, 'close')
    let received = ''
    socket.on('data', (piece) => {
      received += piece
    })
    socket.write(get().repeat(1_000))
    await cut
    socket.destroy()
    // An idle connection is closed, too, but then everything was answered.
    expect(received.split('HTTP/1.1 200 ').length).toBeLessThan(1_000)
  })

  it('is cut off when they have been stuck for longer than a request may take', async () => {
    // More than the buffers of both ends hold.
    const pages = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)
    const tunnel = `CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n\r\n${'x'.repeat(1e6)}`
    const cutOffAfter = async (bytes: string) => {
      const accepted = once(server.app.server, 'connection')
      const socket = connectTo(server).pause()
      socket.on('error', () => {})
      const [connection] = await accepted
      const closed = new Promise((resolve) => connection.once('close', resolve))
      socket.write(bytes)
      return async () => {
        await closed
        socket.destroy()
      }
    }
    const silent = [await cutOffAfter(pages), await cutOffAfter(pages + tunnel)]
    for (const cutOff of silent) await cutOff()
  })
})

describe('a connection that is kept', () => {
  it('is kept for longer than the minute after which load balancers close theirs', async () => {
    const [kept] = await exchange(server, get() + get('Connection: close'))
    const [, seconds] = /^timeout=(\d+)$/.exec(kept?.headers['keep-alive'] ?? '') ?? []
    // They would otherwise send requests into connections that are just being closed.
    expect(Number(seconds)).toBeGreaterThan(60)
  })
})

describe('a connection while the server is about to close', () => {
  it('gets its answer and the word to close', async () => {
    const socket = connectTo(server)
    await once(socket, 'connect')
    server.deps.lifecycle.draining = true
    try {
      socket.write(get())
      const [answer] = answersIn(await buffer(socket))
      expectData(answer as RawAnswer, 200)
      expect(answer?.headers['connection']).toBe('close')
    } finally {
      server.deps.lifecycle.draining = false
    }
  })
})

describe('a connection while the server closes', () => {
  it('gets every answer in the envelope, also to what comes behind a request that takes long', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    let answerFirst = () => {}
    const first = new Promise<void>((resolve) => {
      answerFirst = resolve
    })
    app.get('/long', async () => {
      await first
      return { data: 'late' }
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connectTo({ app })
    const begun = once(app.server, 'request')
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
    await begun
    const closed = app.close()
    await waitFor(() => !app.server.listening, patienceMs)
    const behind = once(app.server, 'request')
    socket.write(get('Connection: close'))
    await behind
    answerFirst()
    const [late, answer] = answersIn(await buffer(socket))
    expect([late?.status, late?.body]).toEqual([200, { data: 'late' }])
    expectData(answer as RawAnswer, 200)
    await closed
  })
})

describe('HEAD and OPTIONS', () => {
  it('HEAD says what GET would, without a body', async () => {
    const [answer] = await exchange(
      server,
      head('HEAD /api/v1/asset-groups HTTP/1.1', 'Connection: close').toString(),
    )
    expect([answer?.status, answer?.text]).toEqual([200, ''])
    expect(answer?.headers['etag']).toEqual(expect.any(String))
    expectLimitHeaders(answer as RawAnswer)
  })

  it('HEAD on a path for POST is 405 with Allow', async () => {
    const [answer] = await exchange(
      server,
      head('HEAD /api/v1/quotes HTTP/1.1', 'Connection: close'),
    )
    expect([answer?.status, answer?.headers['allow']]).toEqual([405, 'POST'])
  })

  it('OPTIONS with a body is a preflight like any other', async () => {
    const [answer] = await exchange(
      server,
      `${head('OPTIONS /api/v1/quotes HTTP/1.1', 'Connection: close', json, 'Content-Length: 2')}{}`,
    )
    expect([answer?.status, answer?.text]).toEqual([204, ''])
    expectLimitHeaders(answer as RawAnswer)
  })
})

describe('a tunnel', () => {
  it('that is asked for and cut off at once takes nobody else with it', async () => {
    const asked = once(server.app.server, 'connect')
    const client = connectTo(server)
    client.write('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n')
    const [, socket] = await asked
    // Not by `once` of node:events: it would hear the error, which is for the server to do.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    client.resetAndDestroy()
    await closed
    const [answer] = await exchange(server, get('Connection: close'))
    expect(answer?.status).toBe(200)
  })
})
