import { randomUUID } from 'node:crypto'
import type { Scope } from '../../src/domain/accountRules.ts'
import type { LimitedActivity } from '../../src/domain/limits.ts'
import { customer } from './actors.ts'
import { inDays } from './dates.ts'

/** An operation of the API with an example request. A `write` needs a session in browsers. */
export interface Operation {
  readonly name: string
  readonly method: 'get' | 'post'
  readonly path: string
  readonly scope: Scope | null
  readonly limit: LimitedActivity
  readonly write: boolean
  readonly body?: object
}

const id = randomUUID()
const period = `from=${inDays(1)}&to=${inDays(2)}`

export const operations: readonly Operation[] = [
  {
    name: 'listAssetGroups',
    method: 'get',
    path: '/asset-groups',
    scope: 'availability:read',
    limit: 'reads',
    write: false,
  },
  {
    name: 'listRates',
    method: 'get',
    path: `/asset-groups/${id}/rates`,
    scope: 'rates:read',
    limit: 'reads',
    write: false,
  },
  {
    name: 'getAvailability',
    method: 'get',
    path: `/asset-groups/${id}/availability?${period}`,
    scope: 'availability:read',
    limit: 'reads',
    write: false,
  },
  {
    name: 'createSession',
    method: 'post',
    path: '/sessions',
    scope: null,
    limit: 'sessions',
    write: false,
  },
  {
    name: 'createQuote',
    method: 'post',
    path: '/quotes',
    scope: 'quotes:create',
    limit: 'quotes',
    write: true,
    body: { assetGroupId: id, pickupDatetime: inDays(1), dropoffDatetime: inDays(2) },
  },
  {
    name: 'createBooking',
    method: 'post',
    path: '/bookings',
    scope: 'bookings:create',
    limit: 'bookings',
    write: true,
    body: { quoteId: id, customer },
  },
  {
    name: 'getBooking',
    method: 'get',
    path: `/bookings/${id}`,
    scope: 'bookings:read',
    limit: 'reads',
    write: false,
  },
]
