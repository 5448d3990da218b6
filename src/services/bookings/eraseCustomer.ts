import type { Database } from '../../db/connection/database.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { eraseByBooking, eraseByEmail } from '../../db/operatorQueries/eraseCustomer.ts'
import { resolveBooking } from '../resolveIds.ts'
import { tenantBySlug } from '../tenants.ts'

/** A booking by a prefix of its id, or all of a tenant's bookings with an e-mail address. */
type ErasureTarget =
  | { readonly bookingId: string }
  | { readonly slug: string; readonly email: string }

/**
 * Erases the customer's data and the staff's remarks from bookings, and returns those bookings.
 * Dates, price and status stay; running it again erases remarks that were added later.
 * @throws OperatorError for an unknown or ambiguous booking, or an unknown tenant
 */
export async function eraseCustomer(database: Database, target: ErasureTarget, actor: string) {
  if ('bookingId' in target) {
    const key = await resolveBooking(database, target.bookingId)
    return inTransaction(database, (transaction) => eraseByBooking(transaction, key, actor))
  }
  const { id } = await tenantBySlug(database, target.slug)
  return inTransaction(database, (transaction) =>
    eraseByEmail(transaction, id, target.email, actor),
  )
}
