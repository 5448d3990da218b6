import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { answersIn, connectTo, exchange, type RawAnswer } from '../../helpers/rawHttp.ts'
import { expectData } from '../../helpers/responses.ts'
import { waitFor } from '../../helpers/waitFor.ts'
import { patienceMs, useRawClients } from './rawClients.ts'

const { key, server, head, get } = useRawClients()

describe('pipelined requests', () => {
  it('are answered in order, a hundred of them', async () => {
    const served = await exchange(server, get().repeat(99) + get('Connection: close'))
    expect(served.map(({ status }) => status)).toEqual(Array(100).fill(200))
  })

  it('close the connection when more than a hundred wait behind one', async () => {
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

  it('are not run behind a request with two lengths', async () => {
    const smuggled = `POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nOrigin: https://a.example\r\n\r\n`
    const bytes = `${head('POST /api/v1/quotes HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`
    const answers = await exchange(server, bytes)
    expect(answers.map(({ status }) => status)).toEqual([400])
  })
})

describe('a slow client', () => {
  it('gets 408 in the envelope, in the headers and in the body', async () => {
    const { headersTimeout, requestTimeout } = server.app.server
    expect([headersTimeout, requestTimeout]).toEqual([1_000, 2_000])
    const json = 'Content-Type: application/json'
    const post = head('POST /api/v1/sessions HTTP/1.1', json, 'Content-Length: 100')
    const unfinished = ['GET / HTTP/1.1\r\nHost: x\r\nA:', `${post}{"a"`]
    for (const bytes of unfinished) {
      const [answer, ...others] = await exchange(server, bytes)
      expect(others).toEqual([])
      expect([answer?.status, answer?.body.error.code]).toEqual([408, 'VALIDATION_ERROR'])
      expect(answer?.headers['connection']).toBe('close')
    }
  })

  it('is cut off when it does not read its response', async () => {
    const accepted = once(server.app.server, 'connection')
    const socket = connectTo(server).pause()
    socket.on('error', () => {})
    const [connection] = await accepted
    const closed = new Promise((resolve) => connection.once('close', resolve))
    // More than the buffers of both ends hold.
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
    await closed
    socket.destroy()
  })
})

describe('a kept connection', () => {
  it('gets every response while the server closes', async () => {
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
