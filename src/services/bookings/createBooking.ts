import type { Database } from '../../db/connection/database.ts'
import { isRolledBack, retryConflicts } from '../../db/connection/failures.ts'
import { onOneConnection } from '../../db/connection/transaction.ts'
import { type Redemption, redeemQuote } from '../../db/queries/bookings.ts'
import type { Caller } from '../caller.ts'

export type BookingRequest = Omit<
  Redemption,
  'tenantId' | 'apiKeyId' | 'sessionId' | 'idempotencyKey'
>

/** A failure after which the booking may have been made all the same; `cause` is what happened. */
export class OutcomeUnknown extends Error {}

/**
 * Redeems a quote once per idempotency key, by the rules of db/sql/redeem_quote.sql (decisions 30
 * to 36). Refusals are results, not exceptions: they are recorded and replayed like bookings.
 * @throws OutcomeUnknown when the database was asked and did not say what came of it
 */
export async function createBooking(
  { database }: { readonly database: Database },
  { tenant, key, sessionId }: Caller,
  idempotencyKey: string,
  request: BookingRequest,
) {
  const redemption = {
    tenantId: tenant.id,
    apiKeyId: key.id,
    sessionId,
    idempotencyKey,
    ...request,
  }
  return onOneConnection(database, (connection) =>
    retryConflicts(() => redeemQuote(connection, redemption)).catch((error: unknown) => {
      throw isRolledBack(error) ? error : new OutcomeUnknown('no answer', { cause: error })
    }),
  )
}
