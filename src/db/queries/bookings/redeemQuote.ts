import { hash } from 'node:crypto'
import type { RedemptionErrorCode } from '../../../domain/bookingRules.ts'
import type { BookingDetails } from '../../../input/bookingDetails.ts'
import type { Database, StatementRunner } from '../../connection/database.ts'
import { runNamed } from '../../connection/statement.ts'
import type { bookings } from '../../schema/index.ts'
import { detailColumns } from './detailColumns.ts'

export type Rental = Pick<
  typeof bookings.$inferSelect,
  'assetGroupId' | 'pickupAt' | 'dropoffAt' | 'totalMinor' | 'currency'
>

export type Booking = Rental &
  Pick<typeof bookings.$inferSelect, 'id' | 'status' | 'createdAt' | 'reference'> & {
    /** The message of the staff to the customer with the last decision. */
    readonly decisionMessage: string | null
  }

type BookingColumns = Omit<Booking, 'totalMinor'> & { readonly totalMinor: string }

const columns = `asset_group_id as "assetGroupId", pickup_at as "pickupAt",
  dropoff_at as "dropoffAt", total_minor as "totalMinor", currency, created_at as "createdAt"`

const bookingOfKey = `
select id, status, reference, ${columns},
  case when status <> 'pending' then (
    select e.message from booking_events e
    where e.tenant_id = $1 and e.booking_id = $2 and e.from_status <> e.to_status
    order by e.created_at desc limit 1
  ) end as "decisionMessage"
from bookings where tenant_id = $1 and id = $2 and api_key_id = $3`

/** Returns the booking with this ID, or undefined if there is none or another key created it. */
export async function findBooking(
  { reads }: Database,
  tenantId: string,
  apiKeyId: string,
  id: string,
): Promise<Booking | undefined> {
  const values = [tenantId, id, apiKeyId]
  const [row] = await runNamed<BookingColumns>(reads, 'booking_of_key', bookingOfKey, values)
  return row && { ...row, totalMinor: BigInt(row.totalMinor) }
}

export interface Redemption {
  readonly tenantId: string
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly idempotencyKey: string
  readonly quoteId: string
  readonly details: BookingDetails
}

const redemptionCall = `
select outcome, replayed, booking_id as id, ${columns}
from redeem_quote($1, $2, $3, $4, $5, $6, $7)`

/** The booking's columns are set for ACCEPTED only. */
type RedemptionRow = Omit<BookingColumns, 'status' | 'reference' | 'decisionMessage'> & {
  readonly outcome: 'ACCEPTED' | RedemptionErrorCode
  /** True when an earlier request with the same idempotency key had this outcome. */
  readonly replayed: boolean
}

/**
 * Redeems a quote into a booking, in one transaction. The rules are in `sql/redeem_quote.sql`
 * (docs/decisions.md#a-transaction-lock-instead-of-a-lease).
 */
export async function redeemQuote(connection: StatementRunner, redemption: Redemption) {
  const { tenantId, apiKeyId, sessionId, idempotencyKey, quoteId } = redemption
  const details = detailColumns(redemption.details)
  // Hash the validated details, not the body: a retry may differ in formatting. A new optional
  // detail does not change the fingerprint of requests without the detail.
  const fingerprint = hash('sha256', quoteId + details, 'buffer')
  const values = [tenantId, apiKeyId, sessionId, idempotencyKey, fingerprint, quoteId, details]
  const [row] = await runNamed<RedemptionRow>(connection, 'redeem_quote', redemptionCall, values)
  if (row === undefined) throw new Error('Bug: redeem_quote returned no row')
  const { outcome, replayed, totalMinor, ...accepted } = row
  if (outcome !== 'ACCEPTED') return { outcome, replayed }
  // A replay must return the original response, so the status is pending even after a decision, and
  // the details are those of the request, which are equal.
  const booking: Booking = {
    ...accepted,
    status: 'pending',
    totalMinor: BigInt(totalMinor),
    reference: redemption.details.reference ?? null,
    decisionMessage: null,
  }
  return { outcome, replayed, booking }
}
