import { describe, expect, it } from 'vitest'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { exchange, type RawRequest, sendRequest } from '../../helpers/rawHttp.ts'

const bookers = useHttpClients()
const server = bookers.server

type Header = readonly [name: string, value: string]
const json: Header = ['Content-Type', 'application/json']
const origin: Header = ['Origin', bookers.origin]
const keyHeader = (): Header => ['X-Api-Key', bookers.key]
const catalog = (...headers: Header[]): RawRequest => ({
  method: 'GET',
  path: '/api/v1/asset-groups',
  headers,
})
const get = (path: string): RawRequest => ({ ...catalog(keyHeader()), path })
const quote = (body: string, ...headers: Header[]): RawRequest => ({
  method: 'POST',
  path: '/api/v1/quotes',
  headers: [keyHeader(), json, ...headers],
  body,
})
const rental = (more = '') => JSON.stringify(bookers.rental()).replace(/\}$/, `${more}}`)

describe('hostile request', () => {
  it.each<[string, () => RawRequest, number, string?]>([
    ['20,000 nested arrays', () => quote('['.repeat(20_000)), 400, 'VALIDATION_ERROR'],
    [
      'a field named __proto__',
      () => quote(rental(',"__proto__":{"polluted":1}')),
      400,
      'VALIDATION_ERROR',
    ],
    ['a duplicate field', () => quote(rental(',"assetGroupId":"bad"')), 400, 'VALIDATION_ERROR'],
    ['two API keys', () => catalog(keyHeader(), keyHeader()), 401, 'API_KEY_INVALID'],
    ['two Origin headers', () => catalog(keyHeader(), origin, origin), 403, 'ORIGIN_NOT_ALLOWED'],
    [
      'an empty Origin header',
      () => catalog(keyHeader(), ['Origin', '']),
      403,
      'ORIGIN_NOT_ALLOWED',
    ],
    ['a path containing ..', () => get('/api/v1/../../healthz'), 404, 'NOT_FOUND'],
    [
      'an invalid escape in the path',
      () => get('/api/v1/asset-groups/%zz/rates'),
      400,
      'VALIDATION_ERROR',
    ],
  ])('returns the documented response to a request with %s', async (_, request, status, code) => {
    const { body, status: given } = await sendRequest(server, request())
    expect([given, body.error?.code]).toEqual([status, code])
    expect(Object.keys(Object.prototype)).not.toContain('polluted')
  })
})

describe('raw connection', () => {
  const start = 'GET /api/v1/asset-groups HTTP/1.1\r\nHost: a\r\nX-Api-Key: KEY\r\n'
  const post = 'POST /api/v1/quotes HTTP/1.1\r\nHost: a\r\nX-Api-Key: KEY\r\n'

  it.each([
    [
      'Content-Length and Transfer-Encoding',
      `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two Host headers', `${start}Host: b\r\n\r\n`],
  ])('rejects a request with %s with 400 and does not run the next request', async (_, bytes) => {
    const sent = `${bytes + start}\r\n`.replaceAll('KEY', bookers.key)
    const responses = await exchange(server, Buffer.from(sent, 'latin1'))
    expect(responses.map(({ status }) => status)).toEqual([400])
  })
})
