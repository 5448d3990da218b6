import { z } from 'zod'
import type { StatementRunner } from '../../db/connection/database.ts'
import { isRolledBack, retryConflicts } from '../../db/connection/failures.ts'
import { onOneConnection } from '../../db/connection/transaction.ts'
import { redeemQuote } from '../../db/queries/bookings/redeemQuote.ts'
import { redemptionErrorCodes } from '../../domain/bookingRules.ts'
import { ApiError } from '../../domain/errors.ts'
import { bookingDetails, bookingDetailsExample } from '../../input/bookingDetails.ts'
import { uuid } from '../../input/fields.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { bookingExample, bookingResponse, serializeBooking } from '../schemas/booking.ts'
import { exampleIds } from '../schemas/examples.ts'

/**
 * Excludes commas unless quoted, because Node joins repeated headers with a comma. A quoted key is
 * an RFC 9651 string, which escapes only `"` and `\`.
 */
const format =
  /^(?:[\x21\x23-\x2b\x2d-\x7e][\x21-\x2b\x2d-\x7e]{0,254}|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255}")$/

/** Parses an idempotency key; with or without surrounding quotes it is the same key. */
export const idempotencyKey = z
  .string()
  .regex(
    format,
    'must be 1 to 255 visible ASCII characters without a comma, or a double-quoted string, which may contain spaces and commas',
  )
  .meta({ minLength: 1, maxLength: 512 })
  .transform((value) =>
    value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value,
  )

const headers = z.looseObject({
  'idempotency-key': idempotencyKey.meta({
    description:
      'A unique value for each booking attempt, such as a UUID; retries of the attempt send the same value. It is stored for 24 hours. A value in double quotes is the same key as without them, and may also contain spaces and commas.',
    example: exampleIds.quote,
  }),
})

const quoteId = uuid.meta({ description: 'The id of an unexpired, unused quote of this key.' })

const body = z.strictObject({ quoteId, ...bookingDetails }).meta({
  id: 'BookingRequest',
  description:
    'Text is normalized before validation: characters are composed (NFC); spaces of any kind and tabs are trimmed and, except in notes, become one space; lines of notes end with \\n. In all other texts, U+00AD, U+061C, U+200B, U+200E, U+200F, U+202A–202E, U+2060, U+2066–2069 and U+FEFF are removed; in the email address, full-width characters become ASCII. For optional fields, null and blank text are the same as omitting the field. No text may contain control characters (C0, DEL, C1) or unpaired surrogates, except line breaks of any kind and tabs in notes; U+2028 and U+2029 are line breaks. A name needs at least one visible character.',
})

/** POST /bookings: redeems a quote as a pending booking, exactly once. */
export const createBooking = operation({
  operationId: 'createBooking',
  tag: 'booking',
  summary: 'Create a pending booking',
  description: [
    'Redeems a quote exactly once.',
    'If a request receives no response, or 429, 500, 502, 503, 504 or 409 REQUEST_IN_PROGRESS, retry it with the same `Idempotency-Key`. If the first request was processed, its response is replayed with the header `Idempotent-Replayed`. Otherwise the retry creates the booking. A browser must retry with the same session token; if the token has expired, see `POST /sessions`.',
  ].join('\n\n'),
  method: 'POST',
  url: `${apiPrefix}/bookings`,
  access: { scope: 'bookings:create', activity: 'bookings', session: true },
  schema: { headers, body },
  requestExample: { quoteId: exampleIds.quote, ...bookingDetailsExample },
  response: {
    status: 202,
    schema: bookingResponse,
    description: 'The pending booking. The staff will confirm or reject it.',
    example: bookingExample,
    headers: ['Location', 'Idempotent-Replayed'],
    links: {
      status: {
        operationId: 'getBooking',
        description: 'Poll the booking until the staff have confirmed or rejected it.',
        parameters: { id: '$response.body#/data/bookingId' },
      },
    },
  },
  errors: redemptionErrorCodes,
  async handler({ database }, request, reply) {
    const { tenant, key, sessionId } = request.caller
    const { quoteId, ...details } = request.body
    const idempotencyKey = request.headers['idempotency-key']
    const ids = { tenantId: tenant.id, apiKeyId: key.id, sessionId, quoteId }
    const redemption = { ...ids, idempotencyKey, details }
    const redeem = (connection: StatementRunner) =>
      retryConflicts(() => redeemQuote(connection, redemption)).catch((error: unknown) => {
        // The booking may exist, so it stays counted.
        if (!isRolledBack(error)) request.uncountsBooking = false
        throw error
      })
    const result = await database.shares(key.id, () => onOneConnection(database, redeem))
    if (result.replayed) reply.header('idempotent-replayed', 'true')
    // Use the default message: a replay must be identical to the recorded response.
    if (result.outcome !== 'ACCEPTED') throw new ApiError(result.outcome)
    if (!result.replayed) request.uncountsBooking = false
    const data = serializeBooking(result.booking)
    reply.header('location', `${apiPrefix}/bookings/${data.bookingId}`)
    return { data }
  },
})
