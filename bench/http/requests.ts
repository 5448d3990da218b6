import { randomUUID } from 'node:crypto'
import type { NextRequest } from './load.ts'
import { origin, type SeededCaller } from './seed.ts'

const dayMs = 86_400_000

/** One request of HTTP/1.1 as it goes over the wire. */
export function request(
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

/** The same requests in a random order, again and again. */
function repeated(requests: readonly Buffer[]): NextRequest {
  return () => requests[Math.floor(Math.random() * requests.length)]
}

const authorized = ({ key }: SeededCaller) => ({ authorization: `Bearer ${key}` })

/** A day of the next 300, at ten in the morning, and three days later. */
function rental(index: number): { from: string; to: string } {
  const from = Math.ceil(Date.now() / dayMs + 1 + (index % 300)) * dayMs + dayMs * (10 / 24)
  return { from: new Date(from).toISOString(), to: new Date(from + 3 * dayMs).toISOString() }
}

/** GET `path` as every caller, the ids of the caller filled in. */
export function reads(
  callers: readonly SeededCaller[],
  path: (caller: SeededCaller) => string,
  headers: (caller: SeededCaller) => Record<string, string> = () => ({}),
): NextRequest {
  return repeated(
    callers.map((caller) =>
      request('GET', path(caller), { ...authorized(caller), ...headers(caller) }),
    ),
  )
}

/** Availability of three days within a year, under the API's path or the floor's. */
export function availabilityReads(
  callers: readonly SeededCaller[],
  path: (caller: SeededCaller) => string,
): NextRequest {
  let index = 0
  return reads(callers, (caller) => {
    const { from, to } = rental(index++)
    return `${path(caller)}?from=${from}&to=${to}`
  })
}

export function sessionStarts(callers: readonly SeededCaller[], path: string): NextRequest {
  return repeated(
    callers.map((caller) =>
      request('POST', path, { ...authorized(caller), origin, 'content-length': '0' }),
    ),
  )
}

export function quoteRequests(callers: readonly SeededCaller[]): NextRequest {
  return repeated(
    callers.map((caller, index) => {
      const { from, to } = rental(index)
      const body = { assetGroupId: caller.groupId, pickupDatetime: from, dropoffDatetime: to }
      return request('POST', '/api/v1/quotes', authorized(caller), body)
    }),
  )
}

/** Whose such a quote is and when; the floor has the rest of the row in memory. */
export function quoteRows(callers: readonly SeededCaller[]): NextRequest {
  return repeated(
    callers.map((caller, index) => {
      const { from, to } = rental(index)
      const { tenantId, keyId, groupId } = caller
      return request('POST', '/quotes', {}, { values: [tenantId, keyId, groupId, from, to] })
    }),
  )
}

/** An unused quote and whose it is. */
export interface SeededQuote {
  readonly caller: SeededCaller
  readonly quoteId: string
}

const customer = {
  firstName: 'Kari',
  lastName: 'Nordmann',
  email: 'kari@example.com',
  phone: '+47 12 34 56 78',
}
const places = ['Oslo S', 'Oslo airport', 'Arriving by train at 09:40.'] as const

/** Books each quote once, then ends. */
export function bookingRequests(quotes: SeededQuote[]): NextRequest {
  const [pickupLocation, dropoffLocation, notes] = places
  return () => {
    const quote = quotes.pop()
    if (quote === undefined) return undefined
    const headers = { ...authorized(quote.caller), 'idempotency-key': randomUUID() }
    const body = { quoteId: quote.quoteId, customer, pickupLocation, dropoffLocation, notes }
    return request('POST', '/api/v1/bookings', headers, body)
  }
}

const fingerprint = '\\x'.padEnd(66, 'ab')

/** The same redemptions as the values of the function call. */
export function redemptions(quotes: SeededQuote[]): NextRequest {
  const { firstName, lastName, email, phone } = customer
  return () => {
    const quote = quotes.pop()
    if (quote === undefined) return undefined
    const { tenantId, keyId } = quote.caller
    const attempt = [tenantId, keyId, null, randomUUID(), fingerprint, quote.quoteId]
    const values = [...attempt, firstName, lastName, email, phone, ...places]
    return request('POST', '/bookings', {}, { values })
  }
}
