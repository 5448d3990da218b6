import { z } from 'zod'
import { plainText, uuid } from '../../input/fields.ts'
import { OutcomeUnknown, createBooking as redeem } from '../../services/createBooking.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { bookingExample, bookingSchema, presentBooking } from '../presentBooking.ts'
import { dataOf } from '../schemas.ts'

/** Decision 30. No comma: Node joins repeated headers with one. */
const headers = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x2b\x2d-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters, no comma')
    .describe('Unique for each attempt to book, a UUID for example. Remembered for 24 hours.'),
})

const name = plainText({ min: 1, max: 100 })
const location = plainText({ max: 200 })

const body = z
  .object({
    quoteId: uuid,
    customer: z.object({
      firstName: name,
      lastName: name,
      email: plainText({ max: 254 })
        .meta({ format: 'email', maxLength: 254 })
        .pipe(z.email('must be an e-mail address')),
      phone: z
        .string()
        .trim()
        .regex(/^[+0-9 ().\-/x]{3,32}$/, 'must be 3 to 32 of +0-9 ().-/x')
        .optional(),
    }),
    pickupLocation: location.optional(),
    dropoffLocation: location.optional(),
    notes: plainText({ max: 2_000, multiline: true })
      .optional()
      .describe('The only field that may have line breaks.'),
  })
  .meta({ id: 'BookingRequest', description: 'Text is trimmed before it is judged.' })

const bodyExample: z.input<typeof body> = {
  quoteId: '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33',
  customer: {
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'kari@example.com',
    phone: '+47 12 34 56 78',
  },
  pickupLocation: 'Oslo S',
  notes: 'Arriving by train at 09:40.',
}

/** POST /bookings: redeems a quote into a pending booking, exactly once (spec.md "Rules" 3). */
export const createBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).post(
    '/bookings',
    {
      config: {
        access: { scope: 'bookings:create', limit: 'bookings', session: true },
        operation: {
          operationId: 'createBooking',
          tag: 'booking',
          summary: 'Submit a quote as a pending booking',
          description:
            'Redeems a quote exactly once. A request that got no answer, or 429, 503 or 409 REQUEST_IN_PROGRESS, is repeated with the same `Idempotency-Key`: it returns the answer of the first, marked `Idempotent-Replayed`. Unknown fields are ignored.',
          answer: {
            description: 'The booking, waiting for the staff.',
            example: { data: bookingExample },
          },
          errors: [
            'QUOTE_SESSION_MISMATCH',
            'QUOTE_NOT_FOUND',
            'QUOTE_EXPIRED',
            'QUOTE_ALREADY_USED',
            'REQUEST_IN_PROGRESS',
            'IDEMPOTENCY_KEY_REUSED',
          ],
          bodyExample,
        },
      },
      schema: { headers, body, response: { 202: dataOf(bookingSchema) } },
    },
    async (request, reply) => {
      const { caller, headers, body } = request
      const result = await redeem(deps, caller, headers['idempotency-key'], body).catch((error) => {
        request.mayHaveBooked = error instanceof OutcomeUnknown
        throw error
      })
      if (result.replayed) reply.header('idempotent-replayed', 'true')
      if (result.outcome !== 'ACCEPTED') throw result.refusal
      request.mayHaveBooked = !result.replayed
      const data = presentBooking(result.booking)
      reply.code(202).header('location', `/api/v1/bookings/${data.bookingId}`)
      return { data }
    },
  )
}
