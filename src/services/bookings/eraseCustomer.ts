import type { Database } from '../../db/connection/database.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { eraseByBooking, eraseByEmail } from '../../db/operatorQueries/eraseCustomer.ts'
import { resolveBooking } from '../resolveIds.ts'
import { tenantBySlug } from '../tenants.ts'

/** One booking, by the beginning of its id, or all of a tenant under an address (decision 458). */
type ErasureTarget =
  | { readonly bookingId: string }
  | { readonly slug: string; readonly email: string }

/**
 * Takes a person out of their bookings: names, e-mail, phone, places, notes and what staff wrote
 * about them. Dates, price and status stay for the books, and who did it is recorded. Returns the
 * bookings that were emptied; doing it again empties those that staff wrote about since (decision 496).
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
