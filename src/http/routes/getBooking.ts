import { findBooking } from '../../db/bookings.ts'
import { notFound } from '../../domain/errors.ts'
import { representation, sendConditionally } from '../door/conditional.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { bookingExample, bookingSchema, presentBooking } from '../schemas/booking.ts'
import { type Declaration, dataOf, idParams } from '../schemas/values.ts'

const declaration = {
  config: {
    access: { scope: 'bookings:read', limit: 'reads', session: false },
    caching: 'private, no-cache',
    operation: {
      operationId: 'getBooking',
      tag: 'booking',
      summary: 'See what the staff decided',
      description:
        'Only the key that made the booking can read it. Ask every 30 to 60 seconds, with `If-None-Match`, until the status is no longer `pending`.',
      answer: {
        description: 'The booking as it stands.',
        example: { data: { ...bookingExample, status: 'confirmed' } },
      },
      errors: [notFound('booking')],
    },
  },
  schema: {
    params: idParams('The `bookingId` of the 202.'),
    response: { 200: dataOf(bookingSchema, 'BookingAnswer') },
  },
} satisfies Declaration

/** GET /bookings/{id}: what staff decided, for the key that made the booking (decision 7). */
export const getBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).get('/bookings/:id', declaration, async (request, reply) => {
    const { caller, params } = request
    const booking = await findBooking(deps.database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: presentBooking(booking) }) as string
    return sendConditionally(request, reply, representation(json))
  })
}
