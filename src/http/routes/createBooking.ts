import { z } from 'zod'
import { ApiError } from '../../domain/errors.ts'
import { OutcomeUnknown, createBooking as redeem } from '../../services/bookings/createBooking.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { bookingRequest, bookingResponse, serializeBooking } from '../schemas/booking.ts'
import { idempotencyKey } from '../schemas/idempotencyKey.ts'

const headers = z.looseObject({ 'idempotency-key': idempotencyKey })

/** POST /bookings: redeems a quote into a pending booking, exactly once. */
export const createBooking = operation({
  operationId: 'createBooking',
  method: 'POST',
  url: `${apiPrefix}/bookings`,
  access: { scope: 'bookings:create', activity: 'bookings', session: true },
  schema: { headers, body: bookingRequest },
  response: { status: 202, schema: bookingResponse },
  async handler(deps, request, reply) {
    const { caller, headers, body } = request
    const result = await redeem(deps, caller, headers['idempotency-key'], body).catch((error) => {
      // It may be booked: the place stays taken.
      if (error instanceof OutcomeUnknown) request.holdsBookingSlot = false
      throw error
    })
    if (result.replayed) reply.header('idempotent-replayed', 'true')
    // In the table's words only: a recorded refusal is replayed to the byte (decision 34).
    if (result.outcome !== 'ACCEPTED') throw new ApiError(result.outcome)
    if (!result.replayed) request.holdsBookingSlot = false
    const data = serializeBooking(result.booking)
    reply.header('location', `${apiPrefix}/bookings/${data.bookingId}`)
    return { data }
  },
})
