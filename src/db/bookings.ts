import { and, eq, sql } from 'drizzle-orm'
import type { BookingStatus } from '../domain/bookings.ts'
import type { Database } from './client.ts'
import { bookings } from './schema.ts'
import { runNamed, type StatementRunner, statement } from './statement.ts'

/** What the caller of the public API may know of a booking. */
export interface Booking {
  readonly id: string
  readonly status: BookingStatus
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly totalMinor: bigint
  readonly currency: string
  readonly createdAt: Date
}

const bookingOfKey = statement('booking_of_key', (orm) =>
  orm
    .select({
      id: bookings.id,
      status: bookings.status,
      assetGroupId: bookings.assetGroupId,
      pickupAt: bookings.pickupAt,
      dropoffAt: bookings.dropoffAt,
      totalMinor: bookings.totalMinor,
      currency: bookings.currency,
      createdAt: bookings.createdAt,
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.tenantId, sql.placeholder('tenantId')),
        eq(bookings.id, sql.placeholder('id')),
        eq(bookings.apiKeyId, sql.placeholder('apiKeyId')),
      ),
    ),
)

/** The booking if this key made it; another key's is as unknown as one that never was (decision 7). */
export async function findBooking(
  database: Database,
  tenantId: string,
  apiKeyId: string,
  id: string,
): Promise<Booking | undefined> {
  const [found] = await bookingOfKey(database).execute({ tenantId, apiKeyId, id })
  return found
}

export interface Redemption {
  readonly tenantId: string
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly quoteId: string
  readonly customer: {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    readonly phone?: string | undefined
  }
  readonly pickupLocation?: string | undefined
  readonly dropoffLocation?: string | undefined
  readonly notes?: string | undefined
}

/** The codes a redemption can be refused with; the names are the error codes of the answer. */
export type RedemptionRefusal =
  | 'QUOTE_NOT_FOUND'
  | 'QUOTE_SESSION_MISMATCH'
  | 'QUOTE_ALREADY_USED'
  | 'QUOTE_EXPIRED'
  | 'REQUEST_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'

/** `replayed`: the outcome was decided by an earlier request with the same idempotency key. */
export type RedemptionOutcome =
  | { readonly outcome: 'ACCEPTED'; readonly replayed: boolean; readonly booking: Booking }
  | { readonly outcome: RedemptionRefusal; readonly replayed: boolean }

interface RedemptionRow {
  outcome: 'ACCEPTED' | RedemptionRefusal
  replayed: boolean
  booking_id: string
  asset_group_id: string
  pickup_at: Date
  dropoff_at: Date
  total_minor: string
  currency: string
  created_at: Date
}

/** Redeems a quote in one statement and one transaction; the rules are in sql/redeem_quote.sql. */
export async function redeemQuote(
  connection: StatementRunner,
  redemption: Redemption,
): Promise<RedemptionOutcome> {
  const { customer } = redemption
  const [row] = await runNamed<RedemptionRow & { [column: string]: unknown }>(
    connection,
    'redeem_quote',
    'select * from redeem_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
    [
      redemption.tenantId,
      redemption.apiKeyId,
      redemption.sessionId,
      redemption.idempotencyKey,
      redemption.fingerprint,
      redemption.quoteId,
      customer.firstName,
      customer.lastName,
      customer.email,
      customer.phone,
      redemption.pickupLocation,
      redemption.dropoffLocation,
      redemption.notes,
    ],
  )
  if (row === undefined) throw new Error('Bug: redeem_quote returned no row')
  const { outcome, replayed } = row
  return outcome === 'ACCEPTED'
    ? { outcome, replayed, booking: acceptedBooking(row) }
    : { outcome, replayed }
}

/** The booking as it was accepted: a replay shows it pending even after staff have decided. */
function acceptedBooking(row: RedemptionRow): Booking {
  return {
    id: row.booking_id,
    status: 'pending',
    assetGroupId: row.asset_group_id,
    pickupAt: row.pickup_at,
    dropoffAt: row.dropoff_at,
    totalMinor: BigInt(row.total_minor),
    currency: row.currency,
    createdAt: row.created_at,
  }
}
