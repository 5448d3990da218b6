import { z } from 'zod'
import { extraPricings } from '../../domain/extras.ts'
import { demoGroupId, exampleQuoteId, exampleRateId, openEnum, out } from './values.ts'

const amounts = { quantity: z.int().min(1), unitPrice: out.decimal, amount: out.decimal }

const rateLine = z
  .object({
    rateId: out.uuid,
    rateName: z.string(),
    unit: openEnum(['month', 'week', 'day', 'hour']),
    ...amounts,
  })
  .meta({ id: 'RateLine', description: '`amount` is `quantity` × `unitPrice`.' })

const chargedExtra = z
  .object({
    extraId: out.uuid,
    name: z.string(),
    pricing: openEnum(extraPricings),
    days: z.int().min(1).nullable().describe('Charged days; null: priced per rental.'),
    maxPrice: out.decimal
      .nullable()
      .describe('Highest price of one unit, however many days; null: no cap.'),
    ...amounts,
  })
  .meta({ id: 'ChargedExtra' })

const tax = z
  .object({
    percent: z.string().describe('Such as `25` or `7.7`.'),
    amount: out.decimal,
    included: z.boolean().describe('Whether the subtotal already includes the tax.'),
  })
  .meta({ id: 'Tax' })

const chargedRate = z
  .object({
    id: out.uuid.describe('The rate of the first day.'),
    name: z.string(),
    lines: z
      .array(rateLine)
      .describe(
        'What is charged: the cheapest combination of months, weeks, days and hours, season by season.',
      ),
  })
  .meta({ id: 'ChargedRate' })

const breakdown = z
  .object({
    days: z
      .int()
      .min(0)
      .describe('Full days on the tenant’s clock; a 24th hour, once started, counts as a day.'),
    hours: z
      .int()
      .min(0)
      .max(23)
      .describe('Charged hours beyond the full days; a started hour counts.'),
    rate: chargedRate,
    extras: z.array(chargedExtra),
    subtotal: out.decimal,
    tax,
    total: out.decimal,
  })
  .meta({ id: 'Breakdown', description: 'How the total is calculated; its lines add up exactly.' })

/** A quote as the answer shows it (decision 6). */
export const quote = z
  .object({
    quoteId: out.uuid,
    assetGroupId: out.uuid,
    pickupDatetime: out.dateTime,
    dropoffDatetime: out.dateTime,
    total: out.decimal.describe('The price that can be booked.'),
    currency: out.currency,
    breakdown,
    expiresAt: out.dateTime.describe('It can be booked until then.'),
  })
  .meta({ id: 'Quote' })

type DeepReadonly<T> = { readonly [Field in keyof T]: DeepReadonly<T[Field]> }

export type PresentedQuote = DeepReadonly<z.infer<typeof quote>>

const assetGroupId = demoGroupId
const rateId = exampleRateId
const rateName = 'Standard'
const extraId = '7d2b4c61-0e7e-4c3a-9b1d-2a4f6c8e0b44'

export const bodyExample = {
  assetGroupId,
  pickupDatetime: '2035-06-01T10:00:00Z',
  dropoffDatetime: '2035-06-04T12:00:00Z',
  extras: [{ extraId, quantity: 1 }],
}

export const example: z.infer<typeof quote> = {
  quoteId: exampleQuoteId,
  assetGroupId,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  total: '2368.75',
  currency: 'NOK',
  breakdown: {
    days: 3,
    hours: 2,
    rate: {
      id: rateId,
      name: rateName,
      lines: [
        { rateId, rateName, unit: 'day', quantity: 3, unitPrice: '499.00', amount: '1497.00' },
        { rateId, rateName, unit: 'hour', quantity: 2, unitPrice: '99.00', amount: '198.00' },
      ],
    },
    extras: [
      {
        extraId,
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
