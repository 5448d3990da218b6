import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { expectData, expectError, expectLimitHeaders } from '../helpers/answers.ts'
import { answersIn, connectTo, exchange, type RawAnswer } from '../helpers/rawHttp.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { patienceMs, useRawCallers } from './rawCallers.ts'

const { key, server, head, get, cutOff } = useRawCallers()
const json = 'Content-Type: application/json'

describe('the headers of a request', () => {
  it('may be a hundred', async () => {
    const more = (count: number) => Array.from({ length: count }, (_, n) => `A-${n}: b`)
    const [hundred] = await exchange(server, get('Connection: close', ...more(97)))
    expect(hundred?.status).toBe(200)
    const [beyond] = await exchange(server, get('Connection: close', ...more(98)))
    expect(beyond?.status).toBe(431)
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
