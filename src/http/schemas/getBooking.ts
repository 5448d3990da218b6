import { notFound } from '../../domain/errors.ts'
import { bookingExample, bookingSchema } from './booking.ts'
import { type Declaration, dataOf, idParams } from './values.ts'

/** GET /bookings/{id}, as it is described and held to. */
export const getBookingDeclaration = {
  config: {
    access: { scope: 'bookings:read', limit: 'reads', session: false },
    caching: 'private, no-cache',
    operation: {
      operationId: 'getBooking',
      tag: 'booking',
      summary: 'See what the staff decided',
      description:
        'Only the key that made the booking can read it. Ask after 5 and 15 seconds and then every 30, with `If-None-Match`, until the status is no longer `pending`.',
      answer: {
        description: 'The booking as it stands.',
        example: { data: { ...bookingExample, status: 'confirmed' } },
      },
      errors: [notFound('booking')],
    },
  },
  schema: {
    params: idParams('The `bookingId` of the 202.', bookingExample.bookingId),
    response: { 200: dataOf(bookingSchema, 'BookingAnswer') },
  },
} satisfies Declaration
