import { randomUUID } from 'node:crypto'
import { closeDatabase, type Database } from '../../../src/db/connection/database.ts'
import { redeemQuote } from '../../../src/db/queries/bookings/redeemQuote.ts'
import { type BookingDetails, bookingDetailsExample } from '../../../src/input/bookingDetails.ts'
import { openPool } from '../../helpers/openPool.ts'
import { aGroup, aKey, anExtra, aTenant } from '../../helpers/seed.ts'

/** A tenant with a group, an extra and two keys. */
export interface Ground {
  readonly database: Database
  readonly tenantId: string
  readonly keyId: string
  /** Another key of the same tenant. */
  readonly otherKeyId: string
  readonly groupId: string
  readonly extraId: string
}

/** A rule of the SQL; an assertion fails if the SQL breaks it. */
export type Rule = (on: Ground) => Promise<void>

/** Deletes all rows. With few rows this is much faster than truncating the tables. */
const emptied = [
  'idempotency_records',
  'booking_events',
  'bookings',
  'quotes',
  'extras',
  'rates',
  'asset_blocks',
  'assets',
  'asset_groups',
  'api_key_secrets',
  'api_keys',
  'catalog_versions',
  'tenants',
]
  .map((table) => `delete from ${table}`)
  .join('; ')

/** Empties a database, inserts the ground and calls `use`. */
export async function withGround(url: string, use: (on: Ground) => Promise<void>): Promise<void> {
  const database = openPool(url, { poolMax: 5 })
  try {
    await database.pool.query(emptied)
    const tenantId = await aTenant(database)
    const keyId = (await aKey(database, tenantId)).id
    const otherKeyId = (await aKey(database, tenantId)).id
    const groupId = await aGroup(database, tenantId)
    const extraId = await anExtra(database, tenantId)
    await use({ database, tenantId, keyId, otherKeyId, groupId, extraId })
  } finally {
    await closeDatabase(database)
  }
}

/** Returns the column `value` of a query's only row. */
export async function oneValue<T>({ database }: Ground, text: string, ...values: unknown[]) {
  const { rows } = await database.pool.query<{ value: T }>(text, values)
  return rows[0]?.value as T
}

/** A breakdown of 998.00 for two days plus 25 % tax. */
const breakdown = {
  rate: { lines: [{ amount: '499.00' }, { amount: '499.00' }] },
  extras: [],
  subtotal: '998.00',
  tax: { amount: '249.50', included: false },
  total: '1247.50',
}

/** Inserts an unused quote and returns its ID. */
export function aQuote(
  on: Ground,
  { keyId = on.keyId, sessionId = null as string | null } = {},
): Promise<string> {
  return oneValue<string>(
    on,
    `insert into quotes (tenant_id, api_key_id, session_id, asset_group_id, pickup_at, dropoff_at,
       total_minor, currency, inputs, breakdown, expires_at)
     values ($1, $2, $3, $4, '2038-05-01T10:00Z', '2038-05-03T10:00Z', 124750, 'NOK', '{}', $5,
       now() + interval '30 minutes') returning id as value`,
    on.tenantId,
    keyId,
    sessionId,
    on.groupId,
    breakdown,
  )
}

interface Attempt {
  readonly quoteId: string
  readonly keyId?: string
  readonly sessionId?: string | null
  readonly idempotencyKey?: string
  readonly body?: string
  readonly details?: BookingDetails
}

/** Books a quote as the server does. A database error is returned as an outcome. */
export function attempt(
  on: Ground,
  {
    quoteId,
    keyId = on.keyId,
    sessionId = null,
    body,
    idempotencyKey = randomUUID(),
    details = bookingDetailsExample,
  }: Attempt,
  connection: Parameters<typeof redeemQuote>[0] = on.database,
) {
  return redeemQuote(connection, {
    tenantId: on.tenantId,
    apiKeyId: keyId,
    sessionId,
    idempotencyKey,
    quoteId,
    details: body === undefined ? details : { ...details, notes: body },
  }).catch(({ code }: { code: string }) => ({
    outcome: `SQLSTATE ${code}`,
    replayed: false,
  }))
}

export async function outcomeOf(on: Ground, request: Attempt): Promise<string> {
  return (await attempt(on, request)).outcome
}
