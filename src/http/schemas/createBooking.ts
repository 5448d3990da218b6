import { z } from 'zod'
import { redemptionRefusals } from '../../domain/bookings.ts'
import { email, phone } from '../../input/contact.ts'
import { optional, plainText, uuid } from '../../input/fields.ts'
import { bookingExample, bookingSchema } from './booking.ts'
import { idempotencyKey } from './idempotencyKey.ts'
import { type Declaration, dataOf, exampleQuoteId } from './values.ts'

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

/** POST /bookings, as it is described and held to. */
export const createBookingDeclaration = {
  config: {
    access: { scope: 'bookings:create', limit: 'bookings', session: true },
    operation: {
      operationId: 'createBooking',
      tag: 'booking',
      summary: 'Submit a quote as a pending booking',
      description:
        'Redeems a quote exactly once. If a request gets no answer, or 429, 503 or 409 REQUEST_IN_PROGRESS, repeat it with the same `Idempotency-Key`: you get the answer of the first, marked `Idempotent-Replayed`. A browser must repeat it with the same session token; if that has expired, see `POST /sessions`. Unknown fields are ignored.',
      answer: {
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
    },
  },
  schema: { headers, body, response: { 202: dataOf(bookingSchema, 'BookingAnswer') } },
} satisfies Declaration
