import { redemptionRefusals } from '../../src/domain/bookings.ts'
import { type ApiError, notFound, type PlainErrorCode } from '../../src/domain/errors.ts'
import { readDate } from '../../src/domain/pricing/period.ts'
import { notOffered } from '../../src/domain/pricing/priceRequest.ts'
import { noRateOn } from '../../src/domain/pricing/rates.ts'
import * as examples from './examples.ts'

/** What the document says of an operation beside what the operation itself declares. */
export interface OperationProse {
  readonly tag: 'catalog' | 'booking'
  readonly summary: string
  readonly description: string
  readonly bodyExample?: object
  /** The successful one. */
  readonly answer: {
    readonly description: string
    readonly example: unknown
    /** Those of its own, beside the ones of every answer. */
    readonly headers?: readonly ('Location' | 'Idempotent-Replayed')[]
    /** Where the next step finds what it needs, as OpenAPI's link objects. */
    readonly links?: Readonly<Record<string, object>>
  }
  /** The errors of its own; those of the chain and of a body are added from what it declares. */
  readonly errors?: readonly (PlainErrorCode | ApiError)[]
}

/** By operation id. */
export const operationProse: Readonly<Record<string, OperationProse>> = {
  listAssetGroups: {
    tag: 'catalog',
    summary: 'List the vehicle classes',
    description:
      'Everything that can be rented, ordered by category, name and id. You may cache the list for 30 seconds.',
    answer: { description: 'All vehicle classes.', example: [examples.assetGroup] },
  },
  listRates: {
    tag: 'catalog',
    summary: 'List the rates of a vehicle class',
    description:
      'For display only: the price that can be booked comes from a quote. Rates whose last day has passed are left out; future ones are included. You may cache them for 30 seconds.',
    answer: {
      description: 'The rates by validFrom (open ones first), name and id.',
      example: [examples.rate],
    },
    errors: [notFound('asset group')],
  },
  getAvailability: {
    tag: 'catalog',
    summary: 'Count free vehicles',
    description:
      'How many vehicles of the class are free from `from` until `to`, plus the time to prepare a vehicle afterwards. Staff can confirm whatever is counted as free. Never cached. Checking availability holds no vehicle.',
    answer: { description: 'How many are free.', example: examples.availability },
    errors: [notFound('asset group')],
  },
  createSession: {
    tag: 'booking',
    summary: 'Start a browser session',
    description: [
      'For browsers only: quotes and bookings need the token, which is bound to the key and to the `Origin` that the browser sends. It is valid until `expiresAt`, at most one hour. No body is needed.',
      'Book a quote, and repeat a booking, with the token that the quote was made with, even if you have a newer one; do not start a booking in a session that may expire while you are still retrying it. If the first request gets SESSION_EXPIRED, nothing was booked. If a repeated one does, the booking may have been made, and only the staff can tell: tell the customer so instead of offering another quote.',
    ].join('\n\n'),
    answer: { description: 'The token, and when it expires.', example: examples.session },
  },
  createQuote: {
    tag: 'booking',
    summary: 'Ask for a binding price',
    description:
      'Prices a rental and keeps the offer until `expiresAt`, whatever happens to the rates. It holds no vehicle. Unknown fields are ignored.',
    bodyExample: examples.quoteRequest,
    answer: {
      description: 'The quote, and how its total is calculated.',
      example: examples.quote,
      links: {
        book: {
          operationId: 'createBooking',
          description: 'Submit the quote: its `quoteId` goes into the body.',
        },
      },
    },
    errors: [
      notOffered([{ path: 'assetGroupId', what: 'an asset group' }]),
      noRateOn(readDate('2035-06-03')),
    ],
  },
  createBooking: {
    tag: 'booking',
    summary: 'Submit a quote as a pending booking',
    description:
      'Redeems a quote exactly once. If a request gets no answer, or 429, 503 or 409 REQUEST_IN_PROGRESS, repeat it with the same `Idempotency-Key`. If the first request was carried out, you get its answer, marked `Idempotent-Replayed`; otherwise the booking is made now. A browser must repeat it with the same session token; if that has expired, see `POST /sessions`. Unknown fields are ignored.',
    bodyExample: examples.bookingRequest,
    answer: {
      description: 'The booking, waiting for the staff.',
      example: examples.booking,
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
  },
  getBooking: {
    tag: 'booking',
    summary: 'See what the staff decided',
    description:
      'Only the key that made the booking can read it. Ask after 5 and 15 seconds and then every 30, with `If-None-Match`, until the status is no longer `pending`.',
    answer: {
      description: 'The booking as it stands.',
      example: { ...examples.booking, status: 'confirmed' },
    },
    errors: [notFound('booking')],
  },
}
