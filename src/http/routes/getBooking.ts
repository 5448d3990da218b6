import { findBooking } from '../../db/bookings.ts'
import { notFound } from '../../domain/errors.ts'
import { representation, sendConditionally } from '../door/conditional.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { presentBooking } from '../schemas/booking.ts'
import { getBookingDeclaration } from '../schemas/getBooking.ts'

/** GET /bookings/{id}: what staff decided, for the key that made the booking (decision 7). */
export const getBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).get('/bookings/:id', getBookingDeclaration, async (request, reply) => {
    const { caller, params } = request
    const booking = await findBooking(deps.database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: presentBooking(booking) }) as string
    return sendConditionally(request, reply, representation(json))
  })
}
