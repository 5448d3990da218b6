import { createQuote as issueQuote } from '../../services/bookings/createQuote.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { presentQuote, quoteAnswer, quoteRequest } from '../schemas/quote.ts'

/** POST /quotes: the only bookable price, valid until `expiresAt`. */
export const createQuote = operation({
  operationId: 'createQuote',
  method: 'POST',
  url: `${apiPrefix}/quotes`,
  access: { scope: 'quotes:create', activity: 'quotes', session: true },
  schema: { body: quoteRequest },
  answer: { status: 201, schema: quoteAnswer },
  async handler(deps, { caller, body: { assetGroupId, pickupDatetime, dropoffDatetime, extras } }) {
    const request = { assetGroupId, pickupAt: pickupDatetime, dropoffAt: dropoffDatetime, extras }
    return { data: presentQuote(await issueQuote(deps, caller, request)) }
  },
})
