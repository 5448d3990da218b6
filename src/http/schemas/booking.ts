import { z } from 'zod'
import type { Booking } from '../../db/queries/bookings.ts'
import { bookingStatuses } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { email, phone } from '../../input/contact.ts'
import { optional, plainText, shortText, uuid } from '../../input/fields.ts'
import { dataOf, responseTypes } from './values.ts'

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
    bookingId: responseTypes.uuid,
    status: z.enum(bookingStatuses),
    assetGroupId: responseTypes.uuid.nullable(),
    pickupDatetime: responseTypes.dateTime,
    dropoffDatetime: responseTypes.dateTime,
    estimatedTotal: responseTypes.decimal.nullable(),
    currency: responseTypes.currency.nullable(),
    createdAt: responseTypes.dateTime,
  })
  .meta({ id: 'Booking' })

export const bookingResponse = dataOf(booking, 'BookingAnswer')

export function serializeBooking(row: Booking): z.infer<typeof booking> {
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
