import type { NextRequest } from './load.ts'
import * as requests from './requests.ts'
import type { SeededCaller } from './seed.ts'

/** One figure of the bench: the API's requests and those of its floor. */
export interface Row {
  readonly name: string
  /** What the floor does instead, for the reader. */
  readonly floorDoes: string
  /** The share of the floor's requests a second that it is meant to reach. */
  readonly aim: number
  readonly connections: number
  readonly status: number
  /** Each round asks anew, since a quote can be booked only once. */
  api(round: Round): Promise<NextRequest> | NextRequest
  floor(round: Round): Promise<NextRequest> | NextRequest
}

export interface Round {
  readonly callers: readonly SeededCaller[]
  /** ETags of the lists, by path. */
  etag(path: string): string
  /** Unused quotes for one round, inserted when asked for. */
  freshQuotes(): Promise<requests.SeededQuote[]>
}

const groupsPath = () => '/api/v1/asset-groups'
const ratesPath = ({ groupId }: SeededCaller) => `/api/v1/asset-groups/${groupId}/rates`

function listRow(name: string, path: (caller: SeededCaller) => string, kept: string): Row {
  return {
    ...{
      name,
      floorDoes: 'the same bytes after the limiter',
      connections: 32,
      status: 200,
      aim: 0.7,
    },
    api: ({ callers }) => requests.reads(callers, path),
    floor: ({ callers }) => requests.reads(callers, () => `/bytes/${kept}`),
  }
}

function unchangedRow(name: string, path: (caller: SeededCaller) => string): Row {
  return {
    ...{ name, floorDoes: '304 after the limiter', connections: 32, status: 304, aim: 0.85 },
    api: ({ callers, etag }) =>
      requests.reads(callers, path, (caller) => ({
        'if-none-match': etag(`${caller.tenantId} ${path(caller)}`),
      })),
    floor: ({ callers }) => requests.reads(callers, () => '/unchanged'),
  }
}

function bookingRow(connections: number): Row {
  return {
    ...{ name: `POST bookings, ${connections} in flight`, connections, status: 202, aim: 0.85 },
    floorDoes: 'limiter, redeem_quote',
    api: async ({ freshQuotes }) => requests.bookingRequests(await freshQuotes()),
    floor: async ({ freshQuotes }) => requests.redemptions(await freshQuotes()),
  }
}

/** The table of the bench, in the order of a rental. */
export const rows: readonly Row[] = [
  listRow('GET asset-groups', groupsPath, 'groups'),
  listRow('GET rates', ratesPath, 'rates'),
  unchangedRow('GET asset-groups, 304', groupsPath),
  unchangedRow('GET rates, 304', ratesPath),
  {
    ...{ name: 'GET availability', connections: 32, status: 200, aim: 0.9 },
    floorDoes: 'limiter, the same count',
    api: ({ callers }) =>
      requests.availabilityReads(
        callers,
        ({ groupId }) => `/api/v1/asset-groups/${groupId}/availability`,
      ),
    floor: ({ callers }) =>
      requests.availabilityReads(
        callers,
        ({ tenantId, groupId }) => `/availability/${tenantId}/${groupId}`,
      ),
  },
  {
    ...{ name: 'GET booking', connections: 32, status: 200, aim: 0.9 },
    floorDoes: 'limiter, the same select',
    api: ({ callers }) =>
      requests.reads(callers, ({ bookingId }) => `/api/v1/bookings/${bookingId}`),
    floor: ({ callers }) =>
      requests.reads(
        callers,
        ({ tenantId, keyId, bookingId }) => `/bookings/${tenantId}/${keyId}/${bookingId}`,
      ),
  },
  {
    ...{ name: 'POST sessions', connections: 32, status: 201, aim: 0.8 },
    floorDoes: 'limiter twice, one HS256 signature',
    api: ({ callers }) => requests.sessionStarts(callers, '/api/v1/sessions'),
    floor: ({ callers }) => requests.sessionStarts(callers, '/sessions'),
  },
  {
    ...{ name: 'POST quotes', connections: 32, status: 201, aim: 0.85 },
    floorDoes: 'limiter, the same insert',
    api: ({ callers }) => requests.quoteRequests(callers),
    floor: ({ callers }) => requests.quoteRows(callers),
  },
  bookingRow(16),
  bookingRow(64),
]
