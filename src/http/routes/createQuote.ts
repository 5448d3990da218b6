import { createQuote as issueQuote } from '../../services/bookings/createQuote.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { quoteRequest, quoteResponse, serializeQuote } from '../schemas/quote.ts'

/** POST /quotes: the only bookable price, valid until `expiresAt`. */
export const createQuote = operation({
  operationId: 'createQuote',
  method: 'POST',
  url: `${apiPrefix}/quotes`,
  access: { scope: 'quotes:create', activity: 'quotes', session: true },
  schema: { body: quoteRequest },
  response: { status: 201, schema: quoteResponse },
  async handler(deps, { caller, body: { assetGroupId, pickupDatetime, dropoffDatetime, extras } }) {
    const request = { assetGroupId, pickupAt: pickupDatetime, dropoffAt: dropoffDatetime, extras }
    return { data: serializeQuote(await issueQuote(deps, caller, request)) }
  },
})
