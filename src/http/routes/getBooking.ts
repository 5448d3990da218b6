import { z } from 'zod'
import { findBooking } from '../../db/queries/bookings/redeemQuote.ts'
import { notFound } from '../../domain/errors.ts'
import { uuid } from '../../input/fields.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { bookingExample, bookingResponse, serializeBooking } from '../schemas/booking.ts'
import { representation, sendConditionally } from '../server/conditionalResponse.ts'

const params = z.object({
  id: uuid.meta({
    description: 'The `bookingId` from the response of `POST /bookings`.',
    example: bookingExample.bookingId,
  }),
})

/** GET /bookings/{id}: returns a booking to the key that created it. */
export const getBooking = operation({
  operationId: 'getBooking',
  tag: 'booking',
  summary: 'Get a booking',
  description:
    'Returns a booking to the key that created it. Poll with `If-None-Match` after 5 and 15 seconds, then every 30 seconds, until the status is no longer `pending`.',
  method: 'GET',
  url: `${apiPrefix}/bookings/:id`,
  access: { scope: 'bookings:read', activity: 'reads', session: false },
  cacheControl: 'private, no-cache',
  schema: { params },
  response: {
    status: 200,
    schema: bookingResponse,
    description: 'The current state of the booking.',
    example: {
      ...bookingExample,
      status: 'rejected',
      decisionMessage: 'All vans are at the workshop that week. From 11 June we have one for you.',
    },
  },
  errors: [notFound('booking')],
  async handler({ database }, { caller, params }, reply) {
    const booking = await findBooking(database, caller.tenant.id, caller.key.id, params.id)
    if (booking === undefined) throw notFound('booking')
    const json = reply.serialize({ data: serializeBooking(booking) }) as string
    return sendConditionally(reply, representation(json))
  },
})
