import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { useTestApp } from '../../helpers/app.ts'
import { connectTo, exchange, type RawResponse, responsesIn } from '../../helpers/rawHttp.ts'
import { expectData } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const key = generateApiKey()
const server = useTestApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2' })
beforeAll(async () => {
  const { database } = server.deps
  await aKey(database, await aTenant(database), { key, origins: ['https://a.example'] })
})
const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', `X-Api-Key: ${key}`, ...headers].join('\r\n')}\r\n\r\n`
const get = (...headers: string[]) => head('GET /api/v1/asset-groups HTTP/1.1', ...headers)

describe('pipelined requests', () => {
  it('returns 100 responses to 100 pipelined requests', async () => {
    const served = await exchange(server, get().repeat(99) + get('Connection: close'))
    expect(served.map(({ status }) => status)).toEqual(Array(100).fill(200))
  })

  it('serves another connection between two pipelined requests', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    onTestFinished(() => app.close())
    const order: string[] = []
    app.get('/served/:by', async (request) => {
      order.push(request.url)
      return {}
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const [many, one] = [connectTo({ app }), connectTo({ app })]
    await Promise.all([once(many, 'connect'), once(one, 'connect')])
    const request = (by: string, ...headers: string[]) =>
      [`GET /served/${by} HTTP/1.1`, 'Host: x', ...headers, '\r\n'].join('\r\n')
    many.write(request('many').repeat(98) + request('many', 'Connection: close'))
    one.write(request('one', 'Connection: close'))
    await Promise.all([buffer(many), buffer(one)])
    expect(order.length).toBe(100)
    expect(order.indexOf('/served/one')).toBeLessThan(10)
  })

  it('closes the connection when more than 100 pipelined requests wait', async () => {
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
    expect(received.split('HTTP/1.1 200 ').length).toBeLessThan(1_000)
  })
})

describe('slow client', () => {
  it('returns 408 in the error envelope when headers or body stay incomplete', async () => {
    const { headersTimeout, requestTimeout } = server.app.server
    expect([headersTimeout, requestTimeout]).toEqual([1_000, 2_000])
    const json = 'Content-Type: application/json'
    const post = head('POST /api/v1/sessions HTTP/1.1', json, 'Content-Length: 100')
    const unfinished = ['GET / HTTP/1.1\r\nHost: x\r\nA:', `${post}{"a"`]
    for (const bytes of unfinished) {
      const [response, ...others] = await exchange(server, bytes)
      expect(others).toEqual([])
      expect([response?.status, response?.body.error.code]).toEqual([408, 'VALIDATION_ERROR'])
      expect(response?.headers['connection']).toBe('close')
    }
  })

  it('closes the connection when the client does not read its responses', async () => {
    const accepted = once(server.app.server, 'connection')
    const socket = connectTo(server).pause()
    socket.on('error', () => {})
    const [connection] = await accepted
    const closed = new Promise((resolve) => connection.once('close', resolve))
    // Exceeds the socket buffers of both ends.
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
    await closed
    socket.destroy()
  })
})

describe('keep-alive connection', () => {
  it('sends the responses to pipelined requests while the server closes', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    let respondFirst = () => {}
    const first = new Promise<void>((resolve) => {
      respondFirst = resolve
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
    respondFirst()
    const [late, response] = responsesIn(await buffer(socket))
    expect([late?.status, late?.body]).toEqual([200, { data: 'late' }])
    expectData(response as RawResponse, 200)
    await closed
  })
})
