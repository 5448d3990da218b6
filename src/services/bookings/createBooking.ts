import type { Database, StatementRunner } from '../../db/connection/database.ts'
import { isRolledBack, retryConflicts } from '../../db/connection/failures.ts'
import { onOneConnection } from '../../db/connection/transaction.ts'
import { type Redemption, redeemQuote } from '../../db/queries/bookings/redeemQuote.ts'
import type { BookingDetails } from '../../input/bookingDetails.ts'
import type { Caller } from '../caller.ts'

export type BookingRequest = Pick<Redemption, 'quoteId'> & BookingDetails

/** A failure after which the booking may exist or not. `cause` is the original error. */
export class OutcomeUnknown extends Error {}

/**
 * Books a quote once per idempotency key. Rejections are results, not exceptions, because they are
 * stored and replayed like bookings.
 * @throws OutcomeUnknown when the transaction may have been committed
 */
export async function createBooking(
  { database }: { readonly database: Database },
  { tenant, key, sessionId }: Caller,
  idempotencyKey: string,
  { quoteId, ...details }: BookingRequest,
) {
  const ids = { tenantId: tenant.id, apiKeyId: key.id, sessionId, quoteId }
  const redemption = { ...ids, idempotencyKey, details }
  const redeem = (connection: StatementRunner) =>
    retryConflicts(() => redeemQuote(connection, redemption)).catch((error: unknown) => {
      throw isRolledBack(error)
        ? error
        : new OutcomeUnknown('the outcome of the booking is unknown', { cause: error })
    })
  return database.writeSlots(key.id, () => onOneConnection(database, redeem))
}
