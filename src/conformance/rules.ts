import { randomUUID } from 'node:crypto'
import type { ApiResponse, Call } from './api.ts'

/** Creates the values that the rules of a run share. Rules store values of responses in it. */
export const beginRun = (origin: string | undefined) => ({
  /** An origin on the key's allow list. */
  origin: origin ?? '',
  /** Headers of quotes and bookings: those of a browser, if the key is for websites only. */
  writeHeaders: {},
  idempotencyKey: randomUUID(),
  /** A group that can be quoted, and its quote. */
  groupId: '',
  quoteId: '',
  /** The created booking, which only staff can cancel, and the body of its response. */
  bookingId: '',
  bookingText: '',
  etag: '',
  sessionToken: '',
})

type Run = ReturnType<typeof beginRun>

/** A rule of the contract, by one request and its expected response. */
interface Rule {
  readonly rule: string
  readonly request: (run: Run) => readonly [path: string, call?: Call]
  readonly status: number
  /** The code of an error response. */
  readonly code?: string
  readonly headers?: Readonly<Record<string, RegExp>>
  /** Returns what else is wrong with the response, and stores what later rules need. */
  readonly check?: (run: Run, response: ApiResponse) => string | undefined
}

/** Returns 10:00 UTC, `days` days from today. */
function inDays(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00Z`
}

/** Returns a request for a quote for three days, a month from today. */
export const quoteRequest = (assetGroupId: string, headers = {}) => {
  const body = { assetGroupId, pickupDatetime: inDays(30), dropoffDatetime: inDays(33) }
  return ['/quotes', { method: 'POST', body, headers }] as const
}

export const sessionRequest = (origin: string) =>
  ['/sessions', { method: 'POST', headers: { origin } }] as const

function bookingRequest({ quoteId, idempotencyKey, writeHeaders }: Run) {
  const customer = { firstName: 'Conformance', lastName: 'Kit', email: 'conformance@example.com' }
  const headers = { ...writeHeaders, 'idempotency-key': idempotencyKey }
  return ['/bookings', { method: 'POST', body: { quoteId, customer }, headers }] as const
}

export const dataOf = ({ body }: ApiResponse) => Object(body['data'])

const cachedAs = (cacheControl: RegExp) => ({
  'cache-control': cacheControl,
  vary: /(?=.*origin)(?=.*authorization)(?=.*x-api-key)(?=.*accept-encoding)/i,
})

const longBytes = 1024
const foreignOrigin = 'https://conformance.invalid'

/** Rules that a deployment, with its proxies, can break. */
export const rules: readonly Rule[] = [
  {
    rule: 'a request without a key gets 401 API_KEY_REQUIRED',
    request: () => ['/asset-groups', { withKey: false }],
    status: 401,
    code: 'API_KEY_REQUIRED',
  },
  {
    rule: 'an unknown path gets 404 NOT_FOUND in the error envelope, which is not cached',
    request: () => ['/no-such-path'],
    status: 404,
    code: 'NOT_FOUND',
    headers: { 'cache-control': /^no-store$/ },
  },
  {
    rule: 'a list can be cached privately for 30 seconds',
    request: () => ['/asset-groups'],
    status: 200,
    headers: cachedAs(/^private, max-age=30$/),
    check(run, { headers }) {
      run.etag = headers.get('etag') ?? ''
      return undefined
    },
  },
  {
    rule: 'a list is revalidated by its ETag',
    request: ({ etag }) => ['/asset-groups', { headers: { 'if-none-match': etag } }],
    status: 304,
    headers: cachedAs(/^private, max-age=30$/),
  },
  {
    rule: 'a long list is sent compressed',
    request: () => ['/asset-groups', { headers: { 'accept-encoding': 'br, gzip' } }],
    status: 200,
    check: (_, { headers, text }) =>
      headers.has('content-encoding') || text.length < longBytes
        ? undefined
        : 'the response is not compressed',
  },
  {
    rule: 'availability is never cached',
    request: ({ groupId }) => [
      `/asset-groups/${groupId}/availability?from=${inDays(30)}&to=${inDays(33)}`,
    ],
    status: 200,
    headers: { 'cache-control': /^no-store$/ },
  },
  {
    rule: 'a booking gets 202 with its Location',
    request: bookingRequest,
    status: 202,
    headers: { location: /\/bookings\/[-\da-f]{36}$/ },
    check(run, response) {
      Object.assign(run, { bookingId: dataOf(response).bookingId, bookingText: response.text })
      return undefined
    },
  },
  {
    rule: 'a retry with the same key and body gets the recorded response, marked as a replay',
    request: bookingRequest,
    status: 202,
    headers: { 'idempotent-replayed': /^true$/ },
    check: ({ bookingText }, { text }) =>
      text === bookingText ? undefined : 'the body differs from the recorded response',
  },
  {
    rule: 'a booking is pending, and must be revalidated by caches',
    request: ({ bookingId }) => [`/bookings/${bookingId}`],
    status: 200,
    headers: cachedAs(/^private, no-cache$/),
    check: (_, response) =>
      dataOf(response).status === 'pending' ? undefined : 'it is not pending',
  },
  {
    rule: 'a preflight needs no key and allows the headers of the API and of monitoring scripts',
    request: () => {
      const headers = {
        origin: foreignOrigin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-session-token,idempotency-key,baggage',
      }
      return ['/bookings', { method: 'OPTIONS', withKey: false, headers }]
    },
    status: 204,
    headers: {
      'access-control-allow-headers':
        /(?=.*authorization)(?=.*x-session-token)(?=.*idempotency-key)(?=.*baggage)/i,
    },
  },
  {
    rule: 'an origin outside the allow list gets 403 ORIGIN_NOT_ALLOWED, which its scripts can read',
    request: () => ['/asset-groups', { headers: { origin: foreignOrigin } }],
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    headers: { 'access-control-allow-origin': /^https:\/\/conformance\.invalid$/ },
  },
]

/** Rules that need an origin on the key's allow list. */
export const browserRules: readonly Rule[] = [
  {
    rule: 'a browser gets a session',
    request: ({ origin }) => sessionRequest(origin),
    status: 201,
    check(run, response) {
      run.sessionToken = dataOf(response).sessionToken
      return undefined
    },
  },
  {
    rule: 'a browser gets a quote with its session',
    request: ({ groupId, origin, sessionToken }) =>
      quoteRequest(groupId, { origin, 'x-session-token': sessionToken }),
    status: 201,
  },
]
