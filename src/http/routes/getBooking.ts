import { z } from 'zod'
import { type Booking, findBooking } from '../../db/bookings.ts'
import { bookingStatuses } from '../../domain/bookings.ts'
import { notFound } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { representation, sendConditionally } from '../door/conditional.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { dataOf, demoGroupId, idParams, out } from '../schemas/values.ts'

/** A booking as its creation and its status show it (decision 2). */
export const bookingSchema = z
  .object({
    bookingId: out.uuid,
    status: z
      .enum(bookingStatuses)
      .describe(
        '`pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1.',
      ),
    assetGroupId: out.uuid.nullable(),
    pickupDatetime: out.dateTime,
    dropoffDatetime: out.dateTime,
    estimatedTotal: out.decimal.nullable().describe('The total of the quote.'),
    currency: out.currency.nullable(),
    createdAt: out.dateTime,
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

/** GET /bookings/{id}: what staff decided, for the key that made the booking (decision 7). */
export const getBooking = operation({
  operationId: 'getBooking',
  tag: 'booking',
  summary: 'See what the staff decided',
  description:
    'Only the key that made the booking can read it. Ask after 5 and 15 seconds and then every 30, with `If-None-Match`, until the status is no longer `pending`.',
  method: 'GET',
  url: `${apiPrefix}/bookings/:id`,
  access: { scope: 'bookings:read', limit: 'reads', session: false },
  caching: 'private, no-cache',
  schema: { params: idParams('The `bookingId` of the 202.', bookingExample.bookingId) },
  answer: {
    status: 200,
    schema: dataOf(bookingSchema, 'BookingAnswer'),
    description: 'The booking as it stands.',
    example: { data: { ...bookingExample, status: 'confirmed' } },
  },
  errors: [notFound('booking')],
  async handler({ database }, request, reply) {
    const { caller, params } = request
    const booking = await findBooking(database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: presentBooking(booking) }) as string
    return sendConditionally(request, reply, representation(json))
  },
})
