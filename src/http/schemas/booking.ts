import { z } from 'zod'
import type { Booking } from '../../db/queries/bookings/redeemQuote.ts'
import { bookingStatuses } from '../../domain/bookingRules.ts'
import { formatMoney } from '../../domain/money.ts'
import { exampleIds } from './examples.ts'
import { dataOf, responseTypes } from './values.ts'

const booking = z
  .object({
    bookingId: responseTypes.uuid.meta({ description: 'The id for `GET /bookings/{id}`.' }),
    status: z.enum(bookingStatuses).meta({
      description:
        '`pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1.',
    }),
    assetGroupId: responseTypes.assetGroupId.nullable(),
    pickupDatetime: responseTypes.dateTime,
    dropoffDatetime: responseTypes.dateTime,
    estimatedTotal: responseTypes.decimal
      .nullable()
      .meta({ description: 'The total of the quote.' }),
    currency: responseTypes.currency.nullable(),
    createdAt: responseTypes.dateTime,
    reference: z.string().nullable().meta({
      description:
        "The caller's own number of the booking. Null without one, and after an erasure.",
    }),
    decisionMessage: z.string().nullable().meta({
      description:
        'The message of the staff to the customer with the last decision; it may have several lines. Null without a message, and after an erasure.',
    }),
  })
  .meta({ id: 'Booking', description: 'A booking and its status.' })

export const bookingResponse = dataOf(booking, 'BookingResponse')

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
    reference: row.reference,
    decisionMessage: row.decisionMessage,
  }
}

export const bookingExample = {
  bookingId: exampleIds.booking,
  status: 'pending',
  assetGroupId: exampleIds.assetGroup,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  estimatedTotal: '2368.75',
  currency: 'NOK',
  createdAt: '2035-05-20T12:04:05.678Z',
  reference: 'TRIP-2035-0117',
  decisionMessage: null as string | null,
}
