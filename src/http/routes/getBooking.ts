import { findBooking } from '../../db/queries/bookings.ts'
import { notFound } from '../../domain/errors.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { bookingResponse, serializeBooking } from '../schemas/booking.ts'
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
  response: { status: 200, schema: bookingResponse },
  async handler({ database }, { caller, params }, reply) {
    const booking = await findBooking(database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: serializeBooking(booking) }) as string
    return sendConditionally(reply, representation(json))
  },
})
