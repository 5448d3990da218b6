import type { Database } from '../../db/connection/database.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import {
  eraseCustomers,
  findBookingsByEmail,
  findBookingsToErase,
  findUnfinishedErasures,
} from '../../db/queries/bookings/eraseCustomers.ts'
import { listCustomerRetentions } from '../../db/queries/tenants/tenantRows.ts'
import { monthsBefore } from '../../domain/timeZone.ts'
import { OperatorError } from '../operatorError.ts'
import { resolveBooking } from '../resolveIds.ts'
import { tenantBySlug } from '../tenantTerms.ts'

/** A booking by a prefix of its id, or all of a tenant's bookings with an e-mail address. */
type ErasureTarget =
  | { readonly bookingId: string }
  | { readonly slug: string; readonly email: string }

type Erased = Awaited<ReturnType<typeof eraseCustomers>>

/** Bookings that are still ahead would lose their customer; nothing was erased. */
export class BookingsAheadError extends OperatorError {
  readonly erased: Erased

  constructor(erased: Erased) {
    super('Bookings are still ahead.')
    this.erased = erased
  }
}

/**
 * Erases the customer's data and the staff's remarks from bookings, and returns those bookings.
 * Dates, price and status stay; running it again erases remarks that were added later.
 * @throws OperatorError for an unknown or ambiguous booking, or an unknown tenant
 * @throws BookingsAheadError if a booking is still ahead, unless `allowAhead` is set
 */
export async function eraseCustomer(
  database: Database,
  target: ErasureTarget,
  actor: string,
  allowAhead = false,
) {
  const { tenantId, ids } = await findTarget(database, target)
  return inTransaction(database, async (transaction) => {
    const erased = await eraseCustomers(transaction, tenantId, ids, actor)
    const isAhead = erased.some(({ open, again }) => open && !again)
    if (isAhead && !allowAhead) throw new BookingsAheadError(erased)
    return erased
  })
}

async function findTarget(database: Database, target: ErasureTarget) {
  if ('bookingId' in target) {
    const { tenantId, id } = await resolveBooking(database, target.bookingId)
    return { tenantId, ids: [id] }
  }
  const { id: tenantId } = await tenantBySlug(database, target.slug)
  return { tenantId, ids: await findBookingsByEmail(database, tenantId, target.email) }
}

/**
 * Erases the customers of all bookings whose drop-off is longer ago than their tenant's
 * `customerRetentionMonths`, and what an older release left of others. Erases a batch in a
 * transaction, and returns the number of bookings.
 */
export async function erasePastCustomers(database: Database, batchRows: number): Promise<number> {
  let erased = 0
  const erase = async (tenantId: string, ids: readonly string[]) => {
    const rows = await inTransaction(database, (transaction) =>
      eraseCustomers(transaction, tenantId, ids, 'housekeeping'),
    )
    erased += rows.length
  }
  for (const { tenantId, ids } of await findUnfinishedErasures(database, batchRows)) {
    await erase(tenantId, ids)
  }
  for (const { tenantId, timeZone, months, now } of await listCustomerRetentions(database)) {
    const before = monthsBefore(now, months, timeZone)
    for (;;) {
      const ids = await findBookingsToErase(database, tenantId, before, batchRows)
      if (ids.length === 0) break
      await erase(tenantId, ids)
    }
  }
  return erased
}
