import { findBooking } from '../../db/bookings.ts'
import { representation, sendConditionally } from '../conditional.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { unknownBooking } from '../notFound.ts'
import { bookingExample, bookingSchema, presentBooking } from '../presentBooking.ts'
import { dataOf, idParams } from '../schemas.ts'

/** GET /bookings/{id}: what staff decided, for the key that made the booking (spec.md "Rules" 4). */
export const getBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).get(
    '/bookings/:id',
    {
      config: {
        access: { scope: 'bookings:read', limit: 'reads', session: false },
        caching: 'private, no-cache',
        operation: {
          operationId: 'getBooking',
          tag: 'booking',
          summary: 'See what the staff decided',
          description:
            'For the key that made the booking; to all others it does not exist. Ask every 30 to 60 seconds, with `If-None-Match`, until the status is no longer `pending`.',
          answer: {
            description: 'The booking.',
            example: { data: { ...bookingExample, status: 'confirmed' } },
          },
          errors: ['NOT_FOUND'],
        },
      },
      schema: { params: idParams, response: { 200: dataOf(bookingSchema) } },
    },
    async (request, reply) => {
      const { caller, params } = request
      const booking = await findBooking(deps.database, caller.tenant.id, caller.key.id, params.id)
      if (booking === undefined) throw unknownBooking()
      const json = reply.serialize({ data: presentBooking(booking) }) as string
      return sendConditionally(request, reply, representation(json))
    },
  )
}
