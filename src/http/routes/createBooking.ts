import { ApiError } from '../../domain/errors.ts'
import { OutcomeUnknown, createBooking as redeem } from '../../services/createBooking.ts'
import { apiPrefix, type RoutePlugin, typed } from '../fastify.ts'
import { presentBooking } from '../schemas/booking.ts'
import { createBookingDeclaration } from '../schemas/createBooking.ts'

/** POST /bookings: redeems a quote into a pending booking, exactly once. */
export const createBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).post('/bookings', createBookingDeclaration, async (request, reply) => {
    const { caller, headers, body } = request
    const result = await redeem(deps, caller, headers['idempotency-key'], body).catch((error) => {
      request.mayHaveBooked = error instanceof OutcomeUnknown
      throw error
    })
    if (result.replayed) reply.header('idempotent-replayed', 'true')
    // In the table's words only: a recorded refusal is replayed to the byte (decision 34).
    if (result.outcome !== 'ACCEPTED') throw new ApiError(result.outcome)
    request.mayHaveBooked = !result.replayed
    const data = presentBooking(result.booking)
    reply.code(202).header('location', `${apiPrefix}/bookings/${data.bookingId}`)
    return { data }
  })
}
