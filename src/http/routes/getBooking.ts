import { findBooking } from '../../db/queries/bookings.ts'
import { notFound } from '../../domain/errors.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { bookingAnswer, presentBooking } from '../schemas/booking.ts'
import { idParams } from '../schemas/values.ts'
import { representation, sendConditionally } from '../server/conditionalResponse.ts'

/** GET /bookings/{id}: what staff decided, for the key that made the booking (decision 7). */
export const getBooking = operation({
  operationId: 'getBooking',
  method: 'GET',
  url: `${apiPrefix}/bookings/:id`,
  access: { scope: 'bookings:read', activity: 'reads', session: false },
  cacheControl: 'private, no-cache',
  schema: { params: idParams },
  answer: { status: 200, schema: bookingAnswer },
  async handler({ database }, { caller, params }, reply) {
    const booking = await findBooking(database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: presentBooking(booking) }) as string
    return sendConditionally(reply, representation(json))
  },
})
