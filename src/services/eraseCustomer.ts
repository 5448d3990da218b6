import type { Database } from '../db/client.ts'
import { bookingExists, eraseByBooking, eraseByEmail } from '../db/eraseCustomer.ts'
import { unknownId } from './refusal.ts'

/** Whom to erase: the person of one booking, or of every booking under an e-mail address. */
export type ErasureTarget = { readonly bookingId: string } | { readonly email: string }

/**
 * Takes a person out of their bookings: names, e-mail, phone, places, notes and what staff wrote
 * about them. Dates, price and status stay for the books, and who did it is recorded. Recorded
 * answers hold nothing personal (decision 111). Returns the bookings that were emptied; doing it
 * again empties none.
 * @throws Refusal for an unknown booking
 */
export async function eraseCustomer(database: Database, target: ErasureTarget, actor: string) {
  if ('email' in target) return eraseByEmail(database, target.email.trim(), actor)
  if (!(await bookingExists(database, target.bookingId))) {
    throw unknownId('booking', target.bookingId)
  }
  return eraseByBooking(database, target.bookingId, actor)
}
