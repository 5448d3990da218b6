import { randomUUID } from 'node:crypto'
import type { NextRequest } from './load.ts'
import type { SeededCaller } from './seed.ts'

const dayMs = 86_400_000

/** Returns a request of HTTP/1.1 as it goes over the wire. */
function request(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'localhost',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(content)),
    }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`)
}

/** Returns one of the requests at random, without end. */
const repeated =
  (requests: readonly Buffer[]): NextRequest =>
  () =>
    requests[Math.floor(Math.random() * requests.length)]

const authorized = ({ key }: { readonly key: string }) => ({ authorization: `Bearer ${key}` })

/** Returns three days that begin at 10:00 on one of the next 300 days. */
function rental(index: number): { from: string; to: string } {
  const from = Math.ceil(Date.now() / dayMs + 1 + (index % 300)) * dayMs + dayMs * (10 / 24)
  return { from: new Date(from).toISOString(), to: new Date(from + 3 * dayMs).toISOString() }
}

/** Returns GET requests of `path` with the keys of the callers, at random. */
export const reads = <Caller extends { readonly key: string }>(
  callers: readonly Caller[],
  path: (caller: Caller) => string,
  headers: Readonly<Record<string, string>> = {},
): NextRequest =>
  repeated(
    callers.map((caller) => request('GET', path(caller), { ...authorized(caller), ...headers })),
  )

export const availabilityReads = (callers: readonly SeededCaller[]): NextRequest =>
  repeated(
    Array.from({ length: 300 }, (_, index) => {
      const caller = callers[index % callers.length] as SeededCaller
      const { from, to } = rental(index)
      const path = `/api/v1/asset-groups/${caller.groupId}/availability?from=${from}&to=${to}`
      return request('GET', path, authorized(caller))
    }),
  )

export const quoteRequests = (callers: readonly SeededCaller[]): NextRequest =>
  repeated(
    callers.map((caller, index) => {
      const { from, to } = rental(index)
      const body = { assetGroupId: caller.groupId, pickupDatetime: from, dropoffDatetime: to }
      return request('POST', '/api/v1/quotes', authorized(caller), body)
    }),
  )

/** An unused quote and its caller. */
export interface SeededQuote {
  readonly caller: SeededCaller
  readonly quoteId: string
}

const firstName = 'Kari'
const phone = '+47 12 34 56 78'
const customer = { firstName, lastName: 'Nordmann', email: 'kari@example.com', phone }
const details = { pickupLocation: 'Oslo S', dropoffLocation: 'Oslo airport', notes: 'By train.' }

/** Returns a request that books the next quote, until every quote is booked. */
export const bookingRequests =
  (quotes: SeededQuote[]): NextRequest =>
  () => {
    const quote = quotes.pop()
    if (quote === undefined) return undefined
    const headers = { ...authorized(quote.caller), 'idempotency-key': randomUUID() }
    const body = { quoteId: quote.quoteId, customer, ...details }
    return request('POST', '/api/v1/bookings', headers, body)
  }
