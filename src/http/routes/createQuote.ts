import { z } from 'zod'
import { readDate } from '../../domain/period.ts'
import { notOffered } from '../../domain/priceRequest.ts'
import { noRateOn } from '../../domain/stretches.ts'
import { uuid, wholeNumber } from '../../input/fields.ts'
import { createQuote as issueQuote, type Quote } from '../../services/createQuote.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { bodyExample, example, type PresentedQuote, quote } from '../schemas/quote.ts'
import { dataOf, dateTimeIn, laterThan } from '../schemas/values.ts'

const extrasMax = 20
const extraQuantityMax = 100

const extraLine = z
  .object({ extraId: uuid, quantity: wholeNumber(1, extraQuantityMax) })
  .meta({ id: 'ExtraLine' })

const body = z
  .object({
    assetGroupId: uuid,
    pickupDatetime: dateTimeIn(
      'Not in the past, unless the tenant allows it.',
      bodyExample.pickupDatetime,
    ),
    dropoffDatetime: dateTimeIn(
      'After the pickup, by at most 366 days on the tenant’s clock.',
      bodyExample.dropoffDatetime,
    ),
    extras: z
      .array(extraLine)
      .max(extrasMax)
      .superRefine(refuseRepeats)
      .nullish()
      .transform((lines) => lines ?? []),
  })
  .meta({ id: 'QuoteRequest' })
  .superRefine(...laterThan('pickupDatetime', 'dropoffDatetime'))

/** One line an extra: a second one is a slip more often than a wish for more (decision 50). */
function refuseRepeats(
  extras: readonly { readonly extraId: string }[],
  context: z.RefinementCtx<unknown>,
): void {
  const seen = new Set<string>()
  for (const [index, { extraId }] of extras.entries()) {
    if (seen.has(extraId)) {
      const message = 'is named twice; ask for a larger quantity'
      context.addIssue({ code: 'custom', path: [index, 'extraId'], message })
    }
    seen.add(extraId)
  }
}

function presentQuote(issued: Quote): PresentedQuote {
  return {
    quoteId: issued.id,
    assetGroupId: issued.assetGroupId,
    pickupDatetime: issued.pickupAt.toISOString(),
    dropoffDatetime: issued.dropoffAt.toISOString(),
    total: issued.breakdown.total,
    currency: issued.currency,
    breakdown: issued.breakdown,
    expiresAt: issued.expiresAt.toISOString(),
  }
}

/** POST /quotes: the only bookable price, valid until `expiresAt`. */
export const createQuote = operation({
  operationId: 'createQuote',
  tag: 'booking',
  summary: 'Ask for a binding price',
  description:
    'Prices a rental and keeps the offer until `expiresAt`, whatever happens to the rates. It holds no vehicle. Unknown fields are ignored.',
  method: 'POST',
  url: `${apiPrefix}/quotes`,
  access: { scope: 'quotes:create', limit: 'quotes', session: true },
  schema: { body },
  answer: {
    status: 201,
    schema: dataOf(quote, 'QuoteAnswer'),
    description: 'The quote, and how its total is calculated.',
    example: { data: example },
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
  bodyExample,
  async handler(deps, { caller, body }) {
    const quote = await issueQuote(deps, caller, {
      assetGroupId: body.assetGroupId,
      pickupAt: body.pickupDatetime,
      dropoffAt: body.dropoffDatetime,
      extras: body.extras,
    })
    return { data: presentQuote(quote) }
  },
})
