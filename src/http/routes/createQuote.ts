import { z } from 'zod'
import { parseDate } from '../../domain/pricing/period.ts'
import { notOffered } from '../../domain/pricing/priceRequest.ts'
import { noRateOn } from '../../domain/pricing/rates.ts'
import { dateTime, laterThan } from '../../input/dateTime.ts'
import { uuid, wholeNumber } from '../../input/fields.ts'
import { type IssuedQuote, issueQuote } from '../../services/bookings/issueQuote.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { breakdown } from '../schemas/breakdown.ts'
import { exampleIds } from '../schemas/examples.ts'
import { dataOf, responseTypes, withOffset } from '../schemas/values.ts'
import { languageHeaders } from '../server/conditionalResponse.ts'

const requestExample = {
  assetGroupId: exampleIds.assetGroup,
  pickupDatetime: '2035-06-01T10:00:00Z',
  dropoffDatetime: '2035-06-04T12:00:00Z',
  extras: [{ extraId: exampleIds.extra, quantity: 1 }],
}

const extrasMax = 20
const extraQuantityMax = 100

const extraLine = z
  .strictObject({
    extraId: uuid.meta({
      description: "The id of an extra, from the rental company's site config.",
    }),
    quantity: wholeNumber(1, extraQuantityMax).meta({ description: 'How many of this extra.' }),
  })
  .meta({ id: 'ExtraLine' })

const body = z
  .strictObject({
    assetGroupId: uuid.meta({ description: 'The id of the asset group (vehicle class).' }),
    pickupDatetime: dateTime.meta({
      description: `${withOffset} Must not be in the past, unless the tenant allows it, and must be within the tenant’s opening hours.`,
      example: requestExample.pickupDatetime,
    }),
    dropoffDatetime: dateTime.meta({
      description: `${withOffset} Must be later than the pickup, by at most 366 days in the tenant’s time zone, and within the opening hours.`,
      example: requestExample.dropoffDatetime,
    }),
    extras: z
      .array(extraLine)
      .max(extrasMax)
      .superRefine(rejectDuplicates)
      .nullish()
      .transform((lines) => lines ?? [])
      .meta({ description: 'The extras, each listed once.' }),
  })
  .meta({ id: 'QuoteRequest' })
  .superRefine(...laterThan('pickupDatetime', 'dropoffDatetime'))

/** Rejects an extra that is listed twice, which is more likely a mistake than a larger quantity. */
function rejectDuplicates(extras: { extraId: string }[], context: z.RefinementCtx<unknown>): void {
  const seen = new Set<string>()
  for (const [index, { extraId }] of extras.entries()) {
    if (seen.has(extraId)) {
      const message = 'is listed twice; request a larger quantity instead'
      context.addIssue({ code: 'custom', path: [index, 'extraId'], message })
    }
    seen.add(extraId)
  }
}

const quote = z
  .object({
    quoteId: responseTypes.uuid.meta({ description: 'The id for `POST /bookings`.' }),
    assetGroupId: responseTypes.assetGroupId,
    pickupDatetime: responseTypes.dateTime,
    dropoffDatetime: responseTypes.dateTime,
    total: responseTypes.decimal.meta({
      description: 'The price that can be booked, in `currency`, tax included.',
    }),
    currency: responseTypes.currency,
    breakdown,
    expiresAt: responseTypes.dateTime.meta({
      description: 'The quote can be booked until this time.',
    }),
  })
  .meta({ id: 'Quote', description: 'A binding price, which can be booked once.' })

const serializeQuote = (issued: IssuedQuote): z.infer<typeof quote> => ({
  quoteId: issued.id,
  assetGroupId: issued.assetGroupId,
  pickupDatetime: issued.pickupAt.toISOString(),
  dropoffDatetime: issued.dropoffAt.toISOString(),
  total: issued.breakdown.total,
  currency: issued.currency,
  breakdown: issued.breakdown,
  expiresAt: issued.expiresAt.toISOString(),
})

const responseExample = {
  quoteId: exampleIds.quote,
  assetGroupId: exampleIds.assetGroup,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  total: '2368.75',
  currency: 'NOK',
  breakdown: {
    days: 3,
    hours: 2,
    rate: {
      id: exampleIds.rate,
      name: 'Standard',
      lines: [
        {
          rateId: exampleIds.rate,
          rateName: 'Standard',
          unit: 'day',
          quantity: 3,
          unitPrice: '499.00',
          amount: '1497.00',
        },
        {
          rateId: exampleIds.rate,
          rateName: 'Standard',
          unit: 'hour',
          quantity: 2,
          unitPrice: '99.00',
          amount: '198.00',
        },
      ],
    },
    extras: [
      {
        extraId: exampleIds.extra,
        name: 'Child seat',
        pricing: 'per_day',
        days: 4,
        maxPrice: '300.00',
        quantity: 1,
        unitPrice: '50.00',
        amount: '200.00',
      },
    ],
    subtotal: '1895.00',
    tax: { percent: '25', amount: '473.75', included: false },
    total: '2368.75',
  },
  expiresAt: '2035-05-20T12:30:00.000Z',
}

/** POST /quotes: creates a quote, the only price that can be booked. */
export const createQuote = operation({
  operationId: 'createQuote',
  tag: 'booking',
  summary: 'Create a quote',
  description:
    'Calculates a binding price, which stays valid until `expiresAt` even if the rates change. A quote does not reserve a vehicle.',
  method: 'POST',
  url: `${apiPrefix}/quotes`,
  access: { scope: 'quotes:create', activity: 'quotes', session: true },
  translated: true,
  schema: { body },
  requestExample,
  response: {
    status: 201,
    schema: dataOf(quote, 'QuoteResponse'),
    description: 'The quote, with a breakdown of its total.',
    example: responseExample,
    links: {
      book: {
        operationId: 'createBooking',
        description: 'Submit the quote: send its `quoteId` in the request body.',
      },
    },
  },
  errors: [
    notOffered([{ path: 'assetGroupId', what: 'an asset group' }]),
    noRateOn(parseDate('2035-06-03')),
  ],
  async handler(deps, { caller, body, headers }, reply) {
    const { assetGroupId, pickupDatetime: pickupAt, dropoffDatetime: dropoffAt, extras } = body
    const acceptLanguage = headers['accept-language']
    const rental = { assetGroupId, pickupAt, dropoffAt, extras, acceptLanguage }
    const { tenant, key, sessionId } = caller
    const owner = { tenantId: tenant.id, apiKeyId: key.id, sessionId }
    const issued = await issueQuote(deps, owner, rental)
    if (issued.language !== undefined) reply.headers(languageHeaders(issued.language, 'Origin'))
    return { data: serializeQuote(issued) }
  },
})
