import { findBooking } from '../../db/bookings.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { unknownBooking } from '../notFound.ts'
import { bookingSchema, presentBooking } from '../presentBooking.ts'
import { answerSchema, dataOf, idParams } from '../schemas.ts'

/** GET /bookings/{id}: what staff decided, for the key that made the booking (spec.md "Rules" 4). */
export const getBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).get(
    '/bookings/:id',
    {
      config: { access: { scope: 'bookings:read', limit: 'reads', session: false }, etag: true },
      schema: { params: idParams, response: { 200: answerSchema(dataOf(bookingSchema)) } },
    },
    async ({ caller: { tenant, key }, params }) => {
      const booking = await findBooking(deps.database, tenant.id, key.id, params.id)
      if (booking === undefined) throw unknownBooking()
      return { data: presentBooking(booking) }
    },
  )
}
