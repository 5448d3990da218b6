import { findBookingsOfTenant } from '../db/bookingList.ts'
import type { Database } from '../db/client.ts'
import type { BookingStatus } from '../domain/bookings.ts'
import { currencyDecimals, formatAmount } from '../domain/money.ts'
import { tenantBySlug } from './tenants.ts'

type Row = Awaited<ReturnType<typeof findBookingsOfTenant>>[number]

/** A booking as staff see it. */
export type ListedBooking = ReturnType<typeof present>

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
  return (await findBookingsOfTenant(database, tenantId, status)).map(present)
}

function present({ booking, group, short }: Row) {
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
    short,
  }
}
