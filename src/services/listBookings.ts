import { countAvailability } from '../db/availability.ts'
import { findBookingsOfTenant } from '../db/bookingList.ts'
import type { Database } from '../db/client.ts'
import { availableCount } from '../domain/availability.ts'
import type { BookingStatus } from '../domain/bookings.ts'
import { currencyDecimals, formatAmount } from '../domain/money.ts'
import { tenantBySlug } from './tenants.ts'

type Row = Awaited<ReturnType<typeof findBookingsOfTenant>>[number]

/** A booking as staff see it. */
export type ListedBooking = ReturnType<typeof present> & {
  /** The other bookings that count as taken leave no vehicle for this one; null once it is settled. */
  readonly short: boolean | null
}

/**
 * A tenant's bookings by pickup, all or those of one status.
 * @throws Refusal for an unknown tenant
 */
export async function listBookings(
  database: Database,
  slug: string,
  status?: BookingStatus,
): Promise<ListedBooking[]> {
  const { id: tenantId } = await tenantBySlug(database, slug)
  const listed: ListedBooking[] = []
  for (const row of await findBookingsOfTenant(database, tenantId, status)) {
    listed.push({ ...present(row), short: await isShort(database, row) })
  }
  return listed
}

function present({ booking, group }: Row) {
  const decimals = currencyDecimals(booking.currency)
  return {
    id: booking.id,
    status: booking.status,
    customer: {
      firstName: booking.customerFirstName,
      lastName: booking.customerLastName,
      email: booking.customerEmail,
      phone: booking.customerPhone,
    },
    assetGroup: group,
    pickupDatetime: booking.pickupAt,
    dropoffDatetime: booking.dropoffAt,
    total: formatAmount(booking.totalMinor, decimals),
    currency: booking.currency,
    createdAt: booking.createdAt,
  }
}

async function isShort(database: Database, { booking }: Row): Promise<boolean | null> {
  if (booking.status !== 'pending' && booking.status !== 'confirmed') return null
  const { id: exceptBookingId, tenantId, assetGroupId, pickupAt: from, dropoffAt: to } = booking
  const window = { from, to, exceptBookingId }
  const count = await countAvailability(database, tenantId, assetGroupId, window)
  return count === undefined || availableCount(count) === 0
}
