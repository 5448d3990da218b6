import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { customer } from '../../helpers/actors.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import {
  bytesOf,
  connectTo,
  exchange,
  type RawRequest,
  sendRequest,
} from '../../helpers/rawHttp.ts'
import { expectData } from '../../helpers/responses.ts'
import { waitFor } from '../../helpers/waitFor.ts'

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
    ['two Content-Length headers', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a folded header', `${start}A: a\r\n b\r\n\r\n`],
    ['two Host headers', `${start}Host: b\r\n\r\n`],
    ['bare line feeds', 'GET /api/v1/asset-groups HTTP/1.1\nHost: x\n\n'],
  ])('rejects a request with %s with 400 and does not run the next request', async (_, bytes) => {
    const sent = `${bytes + start}\r\n`.replaceAll('KEY', bookers.key)
    const responses = await exchange(server, Buffer.from(sent, 'latin1'))
    expect(responses.map(({ status }) => status)).toEqual([400])
  })

  it('creates one booking when a client disconnects and retries', async () => {
    const requests = await Promise.all(
      Array.from({ length: 50 }, async (): Promise<RawRequest> => {
        const body = JSON.stringify({ quoteId: await bookers.aQuote(), customer, notes: 'gone' })
        const headers = [keyHeader(), json, ['Idempotency-Key', randomUUID()] as const]
        return { method: 'POST', path: '/api/v1/bookings', headers, body }
      }),
    )
    for (const request of requests) {
      const socket = connectTo(server)
      socket.on('error', () => {})
      socket.write(bytesOf(request), () => socket.resetAndDestroy())
    }
    for (const request of requests) {
      const response = await waitFor(async () => {
        const again = await sendRequest(server, request)
        return again.status === 409 ? undefined : again
      })
      expectData(response, 202)
    }
    const { rows } = await server.deps.database.orm.execute<{ count: number }>(
      sql`select count(*)::int as count from bookings where notes = 'gone'`,
    )
    expect(rows[0]?.count).toBe(requests.length)
  })
})
