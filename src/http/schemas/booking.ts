import { z } from 'zod'
import type { Booking } from '../../db/queries/bookings.ts'
import { bookingStatuses } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { email, phone } from '../../input/contact.ts'
import { optional, plainText, shortText, uuid } from '../../input/fields.ts'
import { dataOf, out } from './values.ts'

const location = optional(plainText({ max: 200 }))

const customer = z
  .object({ firstName: shortText, lastName: shortText, email, phone: optional(phone) })
  .meta({ id: 'Customer' })

export const bookingRequest = z
  .object({
    quoteId: uuid,
    customer,
    pickupLocation: location,
    dropoffLocation: location,
    notes: optional(plainText({ max: 2_000, multiline: true })),
  })
  .meta({ id: 'BookingRequest' })

/** A booking as its creation and its status show it (decision 2). */
const booking = z
  .object({
    bookingId: out.uuid,
    status: z.enum(bookingStatuses),
    assetGroupId: out.uuid.nullable(),
    pickupDatetime: out.dateTime,
    dropoffDatetime: out.dateTime,
    estimatedTotal: out.decimal.nullable(),
    currency: out.currency.nullable(),
    createdAt: out.dateTime,
  })
  .meta({ id: 'Booking' })

export const bookingAnswer = dataOf(booking, 'BookingAnswer')

export function presentBooking(row: Booking): z.infer<typeof booking> {
  return {
    bookingId: row.id,
    status: row.status,
    assetGroupId: row.assetGroupId,
    pickupDatetime: row.pickupAt.toISOString(),
    dropoffDatetime: row.dropoffAt.toISOString(),
    estimatedTotal: formatMoney(row.totalMinor, row.currency),
    currency: row.currency,
    createdAt: row.createdAt.toISOString(),
  }
}
