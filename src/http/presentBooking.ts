import { z } from 'zod'
import type { Booking } from '../db/bookings.ts'
import { currencyDecimals, formatAmount } from '../domain/money.ts'

/** A booking as its creation and its status show it (decision 2). */
export const bookingSchema = z.object({
  bookingId: z.string(),
  status: z.string(),
  assetGroupId: z.string().nullable(),
  pickupDatetime: z.string(),
  dropoffDatetime: z.string(),
  estimatedTotal: z.string().nullable(),
  currency: z.string().nullable(),
  createdAt: z.string(),
})

export function presentBooking(booking: Booking): z.infer<typeof bookingSchema> {
  return {
    bookingId: booking.id,
    status: booking.status,
    assetGroupId: booking.assetGroupId,
    pickupDatetime: booking.pickupAt.toISOString(),
    dropoffDatetime: booking.dropoffAt.toISOString(),
    estimatedTotal: formatAmount(booking.totalMinor, currencyDecimals(booking.currency) ?? 2),
    currency: booking.currency,
    createdAt: booking.createdAt.toISOString(),
  }
}
