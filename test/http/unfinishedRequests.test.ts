import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectError } from '../helpers/answers.ts'
import { answersIn, connectTo, exchange, type RawAnswer } from '../helpers/rawHttp.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { patienceMs, useRawCallers } from './rawCallers.ts'

const { server, patient, head, get, cutOff } = useRawCallers()
const json = 'Content-Type: application/json'

function expectTimeout(answer: RawAnswer): void {
  expectError(answer, 408, 'VALIDATION_ERROR')
  expect(answer.headers['connection']).toBe('close')
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  expect(Date.parse(answer.headers['date'] ?? '')).not.toBeNaN()
}

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
