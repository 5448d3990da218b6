import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { localDate } from '../../domain/pricing/period.ts'
import { isRateListed, writePrices } from '../../domain/pricing/rates.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, idParams, responseTypes } from '../schemas/values.ts'
import { cacheResponse, sendConditionally } from '../server/conditionalResponse.ts'

const rate = z
  .object({
    id: responseTypes.uuid,
    name: z.string(),
    dailyRate: responseTypes.decimal,
    hourlyRate: responseTypes.decimal.nullable(),
    weeklyRate: responseTypes.decimal.nullable(),
    monthlyRate: responseTypes.decimal.nullable(),
    currency: responseTypes.currency,
    validFrom: responseTypes.date.nullable(),
    validTo: responseTypes.date.nullable(),
  })
  .meta({ id: 'Rate' })

/** GET /asset-groups/{id}/rates: for display only, those that still apply or will (decision 11). */
export const listRates = operation({
  operationId: 'listRates',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/rates`,
  access: { scope: 'rates:read', activity: 'reads', session: false },
  cacheControl: 'private, max-age=30',
  schema: { params: idParams },
  response: { status: 200, schema: dataOf(z.array(rate), 'RatesAnswer') },
  async handler({ catalogs, clock }, { caller, params }, reply) {
    let catalog = await catalogs.find(caller.tenant.id)
    // One that is not remembered may have come since.
    if (!catalog.groupsById.has(params.id)) catalog = await catalogs.renew(caller.tenant.id)
    const group = catalog.groupsById.get(params.id)
    if (group === undefined) throw notFound('asset group')
    const today = localDate(clock.now(), catalog.terms.timeZone)
    const list = cacheResponse(group, today, () => {
      const listed = group.rates.filter((row) => isRateListed(row, today))
      const data = listed.map((row) => ({ ...row, ...writePrices(row, row.currency) }))
      return reply.serialize({ data }) as string
    })
    return sendConditionally(reply, list)
  },
})
