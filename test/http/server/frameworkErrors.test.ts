import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { type Actor, aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectError, expectInvalid } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let partner: Actor

beforeAll(async () => {
  const { database } = server.deps
  partner = aServer(server, (await aKey(database, await aTenant(database))).key)
})

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  partner
    .post('/quotes', undefined, { 'content-type': 'application/json', ...headers })
    // Sent as it is: supertest would otherwise make JSON of it.
    .serialize((raw) => raw as string)
    .send(body as string)

describe('a body', () => {
  it.each(['{"a":', "{'a':1}", '{"a":1,}', 'NaN', '[1', ''])(
    'that is not JSON is refused with 400: %s',
    async (body) => {
      expectInvalid(await post(body), '')
    },
  )

  it.each(['null', '[]', '"x"', '5', 'true'])('that is no object is refused: %s', async (body) => {
    expectInvalid(await post(body), '')
  })

  it.each<[string, Record<string, string>]>([
    ['text', { 'content-type': 'text/plain' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['another charset in quotes', { 'content-type': 'application/json; charset="utf-16"' }],
    ['a charset in capitals', { 'content-type': 'application/json; CHARSET=UTF-16' }],
    ['a content encoding', { 'content-encoding': 'gzip' }],
  ])('in %s is refused with 415', async (_, headers) => {
    const answer = await post('{}', headers)
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    for (const value of Object.values(headers)) {
      expect(answer.body.error.message).toContain(`"${value}"`)
    }
  })

  it('of more than 64 KiB is refused with 413', async () => {
    expectError(await post(`"${'x'.repeat(64 * 1024)}"`), 413, 'PAYLOAD_TOO_LARGE')
  })
})

describe('a path', () => {
  it('that nobody serves is 404, with the headers, without a key', async () => {
    for (const path of ['/api', '/api/v2/asset-groups', '/.env', '/api/v1/asset-groups/']) {
      expectError(await server.http.get(path), 404, 'NOT_FOUND')
    }
  })
})

describe('a fault of ours', () => {
  it('is a 500 that says nothing, also where the framework finds it', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    app.get('/unsendable', async (_, reply) => {
      reply.type('text/plain')
      return 5
    })
    const { statusCode: status, headers, body: text } = await app.inject('/unsendable')
    await app.close()
    expect({ status, text: JSON.parse(text) }).toEqual({
      status: 500,
      text: { error: { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' } },
    })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

/** Sends bytes as they are and reads the answer until the server closes. */
async function raw(request: string): Promise<{ status: string; head: string; body: string }> {
  const { port } = server.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: head.split(' ')[1] ?? '', head, body }
}

describe('what is not HTTP', () => {
  it.each([
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      '400',
    ],
    ['nonsense', 'HELLO\r\n\r\n', '400'],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('is refused in the envelope, and the connection closed: %s', async (_, request, status) => {
    const answer = await raw(request)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: 'VALIDATION_ERROR', message: expect.any(String) },
    })
    expect(answer.head.toLowerCase()).toContain('connection: close')
  })
})
