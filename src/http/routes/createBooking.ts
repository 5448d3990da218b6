import { z } from 'zod'
import { redemptionRefusals } from '../../domain/bookings.ts'
import { ApiError } from '../../domain/errors.ts'
import { email, phone } from '../../input/contact.ts'
import { optional, plainText, uuid } from '../../input/fields.ts'
import { OutcomeUnknown, createBooking as redeem } from '../../services/createBooking.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { idempotencyKey } from '../schemas/idempotencyKey.ts'
import { dataOf, exampleQuoteId } from '../schemas/values.ts'
import { bookingExample, bookingSchema, presentBooking } from './getBooking.ts'

const headers = z.looseObject({ 'idempotency-key': idempotencyKey })

const name = plainText({ min: 1, max: 100 })
const location = optional(plainText({ max: 200 }))

const customer = z
  .object({
    firstName: name,
    lastName: name,
    email,
    phone: optional(phone).describe(
      'At least three digits. No-break spaces and direction marks are removed first.',
    ),
  })
  .meta({ id: 'Customer' })

const body = z
  .object({
    quoteId: uuid,
    customer,
    pickupLocation: location,
    dropoffLocation: location,
    notes: optional(plainText({ max: 2_000, multiline: true })).describe(
      'The only field that may have line breaks.',
    ),
  })
  .meta({
    id: 'BookingRequest',
    description:
      'Text is trimmed first. Null, blank text and leaving an optional field out mean the same. No text may contain control characters (C0, DEL, C1), U+2028, U+2029 or unpaired surrogates; names and locations must not contain marks that override the direction (U+202A–202E, U+2066–2069); a name needs at least one visible character.',
  })

const bodyExample: z.input<typeof body> = {
  quoteId: exampleQuoteId,
  customer: {
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'kari@example.com',
    phone: '+47 12 34 56 78',
  },
  pickupLocation: 'Oslo S',
  notes: 'Arriving by train at 09:40.',
}

/** POST /bookings: redeems a quote into a pending booking, exactly once. */
export const createBooking = operation({
  operationId: 'createBooking',
  tag: 'booking',
  summary: 'Submit a quote as a pending booking',
  description:
    'Redeems a quote exactly once. If a request gets no answer, or 429, 503 or 409 REQUEST_IN_PROGRESS, repeat it with the same `Idempotency-Key`. If the first request was carried out, you get its answer, marked `Idempotent-Replayed`; otherwise the booking is made now. A browser must repeat it with the same session token; if that has expired, see `POST /sessions`. Unknown fields are ignored.',
  method: 'POST',
  url: `${apiPrefix}/bookings`,
  access: { scope: 'bookings:create', limit: 'bookings', session: true },
  schema: { headers, body },
  answer: {
    status: 202,
    schema: dataOf(bookingSchema, 'BookingAnswer'),
    description: 'The booking, waiting for the staff.',
    example: { data: bookingExample },
    headers: ['Location', 'Idempotent-Replayed'],
    links: {
      status: {
        operationId: 'getBooking',
        description: "Poll the staff's decision.",
        parameters: { id: '$response.body#/data/bookingId' },
      },
    },
  },
  errors: redemptionRefusals,
  bodyExample,
  async handler(deps, request, reply) {
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
    reply.header('location', `${apiPrefix}/bookings/${data.bookingId}`)
    return { data }
  },
})
