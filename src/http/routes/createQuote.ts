import { createQuote as issueQuote } from '../../services/createQuote.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { createQuoteDeclaration, presentQuote } from '../schemas/createQuote.ts'

/** POST /quotes: the only bookable price, valid until `expiresAt`. */
export const createQuote: RoutePlugin = async (app, { deps }) => {
  typed(app).post('/quotes', createQuoteDeclaration, async ({ caller, body }, reply) => {
    const quote = await issueQuote(deps, caller, {
      assetGroupId: body.assetGroupId,
      pickupAt: body.pickupDatetime,
      dropoffAt: body.dropoffDatetime,
      extras: body.extras,
    })
    reply.code(201)
    return { data: presentQuote(quote) }
  })
}
