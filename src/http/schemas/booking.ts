import { z } from 'zod'
import type { Booking } from '../../db/bookings.ts'
import { bookingStatuses } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { currencyOut, dateTimeOut, decimalOut, demoGroupId, uuidOut } from './values.ts'

/** A booking as its creation and its status show it (decision 2). */
export const bookingSchema = z
  .object({
    bookingId: uuidOut,
    status: z
      .enum(bookingStatuses)
      .describe(
        '`pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1.',
      ),
    assetGroupId: uuidOut.nullable(),
    pickupDatetime: dateTimeOut,
    dropoffDatetime: dateTimeOut,
    estimatedTotal: decimalOut.nullable().describe('The total of the quote.'),
    currency: currencyOut.nullable(),
    createdAt: dateTimeOut,
  })
  .meta({ id: 'Booking' })

export const bookingExample: z.infer<typeof bookingSchema> = {
  bookingId: 'c3d9a7f4-6b1e-4f0c-9e2a-1b3d5f7a9c55',
  status: 'pending',
  assetGroupId: demoGroupId,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  estimatedTotal: '2368.75',
  currency: 'NOK',
  createdAt: '2035-05-20T12:04:05.678Z',
}

export function presentBooking(booking: Booking): z.infer<typeof bookingSchema> {
  return {
    bookingId: booking.id,
    status: booking.status,
    assetGroupId: booking.assetGroupId,
    pickupDatetime: booking.pickupAt.toISOString(),
    dropoffDatetime: booking.dropoffAt.toISOString(),
    estimatedTotal: formatMoney(booking.totalMinor, booking.currency),
    currency: booking.currency,
    createdAt: booking.createdAt.toISOString(),
  }
}
