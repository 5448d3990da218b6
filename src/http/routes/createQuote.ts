import { z } from 'zod'
import { uuid } from '../../input/fields.ts'
import { createQuote as issueQuote, type Quote } from '../../services/createQuote.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { answerSchema, dataOf, dateTime, refineRange } from '../schemas.ts'

const extrasMax = 20
const extraQuantityMax = 100

const body = z
  .object({
    assetGroupId: uuid,
    pickupDatetime: dateTime,
    dropoffDatetime: dateTime,
    extras: z
      .array(z.object({ extraId: uuid, quantity: z.int().min(1).max(extraQuantityMax) }))
      .max(extrasMax)
      .default([]),
  })
  .superRefine(({ pickupDatetime, dropoffDatetime }, context) =>
    refineRange(pickupDatetime, dropoffDatetime, 'dropoffDatetime', context),
  )

const rateLine = z.object({
  unit: z.string(),
  quantity: z.int(),
  unitPrice: z.string(),
  amount: z.string(),
})
const breakdown = z.object({
  days: z.int(),
  hours: z.int(),
  rate: z.object({ id: z.string(), name: z.string(), lines: z.array(rateLine) }),
  extras: z.array(
    rateLine.omit({ unit: true }).extend({
      extraId: z.string(),
      name: z.string(),
      pricing: z.string(),
    }),
  ),
  subtotal: z.string(),
  tax: z.object({ percent: z.string(), amount: z.string(), included: z.boolean() }),
  total: z.string(),
})
const quote = z.object({
  quoteId: z.string(),
  assetGroupId: z.string(),
  pickupDatetime: z.string(),
  dropoffDatetime: z.string(),
  total: z.string(),
  currency: z.string(),
  breakdown,
  expiresAt: z.string(),
})

function present(issued: Quote): z.input<typeof quote> {
  return {
    quoteId: issued.id,
    assetGroupId: issued.assetGroupId,
    pickupDatetime: issued.pickupAt.toISOString(),
    dropoffDatetime: issued.dropoffAt.toISOString(),
    total: issued.breakdown.total,
    currency: issued.currency,
    // Written out by the response schema; the domain's lists are read-only.
    breakdown: structuredClone(issued.breakdown) as z.input<typeof breakdown>,
    expiresAt: issued.expiresAt.toISOString(),
  }
}

/** POST /quotes: the only bookable price, valid for 30 minutes (spec.md "Rules" 2). */
export const createQuote: RoutePlugin = async (app, { deps }) => {
  typed(app).post(
    '/quotes',
    {
      config: { access: { scope: 'quotes:create', limit: 'quotes', session: true } },
      schema: { body, response: { 201: answerSchema(dataOf(quote)) } },
    },
    async ({ caller, body: request }, reply) => {
      const issued = await issueQuote(deps, caller, {
        assetGroupId: request.assetGroupId,
        pickupAt: request.pickupDatetime,
        dropoffAt: request.dropoffDatetime,
        extras: request.extras,
      })
      reply.code(201)
      return { data: present(issued) }
    },
  )
}
