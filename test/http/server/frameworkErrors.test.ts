import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectError, expectInvalid } from '../../helpers/responses.ts'

const clients = useHttpClients()
const { server } = clients

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  clients.partner
    .post('/quotes', undefined, { 'content-type': 'application/json', ...headers })
    // Without a serializer supertest would encode the text as JSON.
    .serialize((raw) => raw as string)
    .send(body as string)

describe('request body', () => {
  it.each(['{"a":', "{'a':1}", '{"a":1,}', 'NaN', '[1', ''])(
    'rejects a body that is not JSON with 400: %s',
    async (body) => {
      expectInvalid(await post(body), '')
    },
  )

  it.each(['null', '[]', '"x"', '5', 'true'])(
    'rejects a JSON body that is not an object with 400: %s',
    async (body) => {
      expectInvalid(await post(body), '')
    },
  )

  it.each<[string, Record<string, string>]>([
    ['the type text/plain', { 'content-type': 'text/plain' }],
    ['another charset than UTF-8', { 'content-type': 'application/json; charset=utf-16' }],
    ['a quoted charset other than UTF-8', { 'content-type': 'application/json; charset="utf-16"' }],
    ['a charset in capitals', { 'content-type': 'application/json; CHARSET=UTF-16' }],
    ['a content encoding', { 'content-encoding': 'gzip' }],
  ])('rejects a body with %s with 415', async (_, headers) => {
    const response = await post('{}', headers)
    expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE')
    for (const value of Object.values(headers)) {
      expect(response.body.error.message).toContain(`"${value}"`)
    }
  })
})

describe('unknown path', () => {
  it('returns 404 NOT_FOUND for an unknown path without a key', async () => {
    for (const path of ['/api', '/api/v2/asset-groups', '/.env', '/api/v1/asset-groups/']) {
      expectError(await server.http.get(path), 404, 'NOT_FOUND')
    }
  })
})

describe('error outside the API', () => {
  const page = 'text/html,application/xhtml+xml,*/*;q=0.8'

  it.each([
    ['/nowhere', page, 'text/html'],
    ['/docs/nowhere', page, 'text/html'],
    ['/api/v1/nowhere', page, 'application/json'],
    ['/nowhere', '*/*', 'application/json'],
    ['/nowhere', 'text/html;q=0, */*', 'application/json'],
    ['/nowhere', 'application/json, text/html;q=0.5', 'application/json'],
  ])('sends GET %s with Accept: %s as %s', async (path, accept, type) => {
    const { status, headers } = await server.http.get(path).set({ accept })
    expect([status, headers['content-type']]).toEqual([404, `${type}; charset=utf-8`])
    if (!path.startsWith('/api')) expect(headers['vary']).toContain('Accept')
  })

  it('sends a page whose links lead to pages', async () => {
    const { text } = await server.http.get('/<b>').set({ accept: page })
    expect(text).not.toContain('<b>')
    const paths = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
    expect(paths).toContain('/docs/integrate')
    for (const path of paths)
      expect([path, (await server.http.get(path)).status]).toEqual([path, 200])
  })
})

describe('unexpected error', () => {
  it('returns 500 without details when Fastify cannot send a payload', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    app.get('/unsendable', async (_, reply) => {
      reply.type('text/plain')
      return 5
    })
    const { statusCode: status, headers, body: text } = await app.inject('/unsendable')
    await app.close()
    expect({ status, text: JSON.parse(text) }).toEqual({
      status: 500,
      text: { error: { code: 'INTERNAL_ERROR', message: 'An internal error occurred.' } },
    })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

/** Sends raw bytes and reads the response until the server closes the connection. */
async function raw(request: string): Promise<{ status: string; head: string; body: string }> {
  const { port } = server.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: head.split(' ')[1] ?? '', head, body }
}

describe('malformed HTTP', () => {
  it.each([
    ['an invalid request line', 'HELLO\r\n\r\n', '400'],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('returns the error envelope and closes the connection for %s', async (_, request, status) => {
    const response = await raw(request)
    expect(response.status).toBe(status)
    expect(JSON.parse(response.body)).toEqual({
      error: { code: 'VALIDATION_ERROR', message: expect.any(String) },
    })
    expect(response.head.toLowerCase()).toContain('connection: close')
  })
})
