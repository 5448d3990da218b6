import { z } from 'zod'
import { plainText, uuid } from '../../input/fields.ts'
import { createBooking as redeem } from '../../services/createBooking.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { bookingSchema, presentBooking } from '../presentBooking.ts'
import { answerSchema, dataOf } from '../schemas.ts'

/** Decision 30. No comma: Node joins repeated headers with one. */
const headers = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x2b\x2d-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters, no comma'),
})

const name = plainText({ min: 1, max: 100 })
const location = plainText({ max: 200 })

const body = z.object({
  quoteId: uuid,
  customer: z.object({
    firstName: name,
    lastName: name,
    email: plainText({ max: 254 }).pipe(z.email('must be an e-mail address')),
    phone: z
      .string()
      .trim()
      .regex(/^[+0-9 ().\-/x]{3,32}$/, 'must be 3 to 32 of +0-9 ().-/x')
      .optional(),
  }),
  pickupLocation: location.optional(),
  dropoffLocation: location.optional(),
  notes: plainText({ max: 2_000, multiline: true }).optional(),
})

/** POST /bookings: redeems a quote into a pending booking, exactly once (spec.md "Rules" 3). */
export const createBooking: RoutePlugin = async (app, { deps }) => {
  typed(app).post(
    '/bookings',
    {
      config: { access: { scope: 'bookings:create', limit: 'bookings', session: true } },
      schema: { headers, body, response: { 202: answerSchema(dataOf(bookingSchema)) } },
    },
    async ({ caller, headers: { 'idempotency-key': idempotencyKey }, body: request }, reply) => {
      const result = await redeem(deps, caller, idempotencyKey, request)
      if (result.replayed) reply.header('idempotent-replayed', 'true')
      if (result.outcome !== 'ACCEPTED') throw result.refusal
      const data = presentBooking(result.booking)
      reply.code(202).header('location', `/api/v1/bookings/${data.bookingId}`)
      return { data }
    },
  )
}
