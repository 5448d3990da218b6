import { z } from 'zod'
import { extraPricings } from '../../domain/pricing/extras.ts'
import { dateTime } from '../../input/dateTime.ts'
import { uuid, wholeNumber } from '../../input/fields.ts'
import type { IssuedQuote } from '../../services/bookings/createQuote.ts'
import { dataOf, laterThan, openEnum, responseTypes } from './values.ts'

const extrasMax = 20
const extraQuantityMax = 100

const extraLine = z
  .object({ extraId: uuid, quantity: wholeNumber(1, extraQuantityMax) })
  .meta({ id: 'ExtraLine' })

export const quoteRequest = z
  .object({
    assetGroupId: uuid,
    pickupDatetime: dateTime,
    dropoffDatetime: dateTime,
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
function refuseRepeats(extras: { extraId: string }[], context: z.RefinementCtx<unknown>): void {
  const seen = new Set<string>()
  for (const [index, { extraId }] of extras.entries()) {
    if (seen.has(extraId)) {
      const message = 'is named twice; ask for a larger quantity'
      context.addIssue({ code: 'custom', path: [index, 'extraId'], message })
    }
    seen.add(extraId)
  }
}

const amounts = {
  quantity: z.int().min(1),
  unitPrice: responseTypes.decimal,
  amount: responseTypes.decimal,
}

const rateLine = z
  .object({
    rateId: responseTypes.uuid,
    rateName: z.string(),
    unit: openEnum(['month', 'week', 'day', 'hour']),
    ...amounts,
  })
  .meta({ id: 'RateLine' })

const chargedExtra = z
  .object({
    extraId: responseTypes.uuid,
    name: z.string(),
    pricing: openEnum(extraPricings),
    days: z.int().min(1).nullable(),
    maxPrice: responseTypes.decimal.nullable(),
    ...amounts,
  })
  .meta({ id: 'ChargedExtra' })

const tax = z
  .object({ percent: z.string(), amount: responseTypes.decimal, included: z.boolean() })
  .meta({ id: 'Tax' })

const chargedRate = z
  .object({ id: responseTypes.uuid, name: z.string(), lines: z.array(rateLine) })
  .meta({ id: 'ChargedRate' })

const breakdown = z
  .object({
    days: z.int().min(0),
    hours: z.int().min(0).max(23),
    rate: chargedRate,
    extras: z.array(chargedExtra),
    subtotal: responseTypes.decimal,
    tax,
    total: responseTypes.decimal,
  })
  .meta({ id: 'Breakdown' })

const quote = z
  .object({
    quoteId: responseTypes.uuid,
    assetGroupId: responseTypes.uuid,
    pickupDatetime: responseTypes.dateTime,
    dropoffDatetime: responseTypes.dateTime,
    total: responseTypes.decimal,
    currency: responseTypes.currency,
    breakdown,
    expiresAt: responseTypes.dateTime,
  })
  .meta({ id: 'Quote' })

/** A quote as the answer shows it (decision 6). */
export const quoteResponse = dataOf(quote, 'QuoteAnswer')

export const serializeQuote = (issued: IssuedQuote): z.infer<typeof quote> => ({
  quoteId: issued.id,
  assetGroupId: issued.assetGroupId,
  pickupDatetime: issued.pickupAt.toISOString(),
  dropoffDatetime: issued.dropoffAt.toISOString(),
  total: issued.breakdown.total,
  currency: issued.currency,
  breakdown: issued.breakdown,
  expiresAt: issued.expiresAt.toISOString(),
})
