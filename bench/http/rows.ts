import type { NextRequest } from './load.ts'
import * as requests from './requests.ts'
import type { SeededCaller } from './seed.ts'

/** One figure of the comparison: the requests to the API and to its floor. */
export interface Row {
  readonly name: string
  /** What the floor does for the same request. */
  readonly floorDoes: string
  readonly status: number
  /** Whether the idiomatic build has it. */
  readonly idiomatic: boolean
  api(round: Round): Promise<NextRequest> | NextRequest
  floor(round: Round): Promise<NextRequest> | NextRequest
}

export interface Round {
  readonly callers: readonly SeededCaller[]
  /** Returns the ETag of a list by its path. */
  etag(path: string): string
  /** Inserts unused quotes: one can be booked only once. */
  freshQuotes(): Promise<requests.SeededQuote[]>
}

const groupsPath = () => '/api/v1/asset-groups'
const ratesPath = ({ groupId }: SeededCaller) => `/api/v1/asset-groups/${groupId}/rates`
const ok = { status: 200, idiomatic: true }

const listRow = (name: string, path: (caller: SeededCaller) => string, list: string): Row => ({
  ...{ ...ok, name, floorDoes: 'one call of the limiter, the same bytes' },
  api: ({ callers }) => requests.reads(callers, path),
  floor: ({ callers }) => requests.reads(callers, () => `/bytes/${list}`),
})

const availabilityPath = ({ groupId }: SeededCaller) =>
  `/api/v1/asset-groups/${groupId}/availability`

/** The rows of the table, in the order of a rental. */
export const rows: readonly Row[] = [
  listRow('GET asset-groups', groupsPath, 'groups'),
  listRow('GET rates', ratesPath, 'rates'),
  {
    ...{ name: 'GET asset-groups, 304', status: 304, idiomatic: false },
    floorDoes: 'one call of the limiter',
    api: ({ callers, etag }) =>
      requests.reads(callers, groupsPath, (caller) => ({
        'if-none-match': etag(`${caller.tenantId} ${groupsPath()}`),
      })),
    floor: ({ callers }) => requests.reads(callers, () => '/unchanged'),
  },
  {
    ...{ ...ok, name: 'GET availability', floorDoes: 'one call of the limiter, the same count' },
    api: ({ callers }) => requests.availabilityReads(callers, availabilityPath),
    floor: ({ callers }) =>
      requests.availabilityReads(
        callers,
        ({ tenantId, groupId }) => `/availability/${tenantId}/${groupId}`,
      ),
  },
  {
    ...{ ...ok, name: 'GET booking', floorDoes: 'one call of the limiter, the same select' },
    api: ({ callers }) =>
      requests.reads(callers, ({ bookingId }) => `/api/v1/bookings/${bookingId}`),
    floor: ({ callers }) =>
      requests.reads(
        callers,
        ({ tenantId, keyId, bookingId }) => `/bookings/${tenantId}/${keyId}/${bookingId}`,
      ),
  },
  {
    ...{ name: 'POST sessions', status: 201, idiomatic: false },
    floorDoes: 'two calls of the limiter, one HS256 signature',
    api: ({ callers }) => requests.sessionStarts(callers, '/api/v1/sessions'),
    floor: ({ callers }) => requests.sessionStarts(callers, '/sessions'),
  },
  {
    ...{ name: 'POST quotes', status: 201, idiomatic: true },
    floorDoes: 'one call of the limiter, the same insert',
    api: ({ callers }) => requests.quoteRequests(callers),
    floor: ({ callers }) => requests.quoteRows(callers),
  },
  {
    ...{ name: 'POST bookings', status: 202, idiomatic: true },
    floorDoes: 'one call of the limiter, redeem_quote',
    api: async ({ freshQuotes }) => requests.bookingRequests(await freshQuotes()),
    floor: async ({ freshQuotes }) => requests.redemptions(await freshQuotes()),
  },
]
