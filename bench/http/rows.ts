import type { NextRequest } from './load.ts'
import * as requests from './requests.ts'
import type { SeededCaller } from './seed.ts'

/** A row of the comparison. Every server receives the same requests. */
export interface Row {
  readonly name: string
  readonly status: number
  requests(round: Round): Promise<NextRequest> | NextRequest
}

export interface Round {
  readonly callers: readonly SeededCaller[]
  /** The ETag of the list of asset groups. */
  readonly etag: string
  /** Inserts unused quotes, because a quote can be booked only once. */
  freshQuotes(): Promise<requests.SeededQuote[]>
}

const groupsPath = () => '/api/v1/asset-groups'
const ratesPath = ({ groupId }: SeededCaller) => `/api/v1/asset-groups/${groupId}/rates`
const bookingPath = ({ bookingId }: SeededCaller) => `/api/v1/bookings/${bookingId}`

/** A row without the idiomatic build, which has no ETags. */
export const unchangedRow = 'GET asset-groups, 304'

/** The rows of the table, in the order of a rental. */
export const rows: readonly Row[] = [
  {
    name: 'GET asset-groups',
    status: 200,
    requests: ({ callers }) => requests.reads(callers, groupsPath),
  },
  {
    name: 'GET rates',
    status: 200,
    requests: ({ callers }) => requests.reads(callers, ratesPath),
  },
  {
    name: unchangedRow,
    status: 304,
    requests: ({ callers, etag }) => requests.reads(callers, groupsPath, { 'if-none-match': etag }),
  },
  {
    name: 'GET availability',
    status: 200,
    requests: ({ callers }) => requests.availabilityReads(callers),
  },
  {
    name: 'GET booking',
    status: 200,
    requests: ({ callers }) => requests.reads(callers, bookingPath),
  },
  {
    name: 'POST quotes',
    status: 201,
    requests: ({ callers }) => requests.quoteRequests(callers),
  },
  {
    name: 'POST bookings',
    status: 202,
    requests: async ({ freshQuotes }) => requests.bookingRequests(await freshQuotes()),
  },
]
