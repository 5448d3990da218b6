import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../domain/errors.ts'
import { localDate } from '../../domain/period.ts'
import { isRateListed, type Rate, writePrices } from '../../domain/rates.ts'
import { sendConditionally } from '../door/conditional.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { dataOf, demoGroupId, exampleRateId, idParams, out } from '../schemas/values.ts'

const rate = z
  .object({
    id: out.uuid,
    name: z.string(),
    dailyRate: out.decimal,
    hourlyRate: out.decimal.nullable(),
    weeklyRate: out.decimal.nullable(),
    monthlyRate: out.decimal.nullable(),
    currency: out.currency,
    validFrom: out.date.nullable().describe('First day on which it applies; null: no beginning.'),
    validTo: out.date.nullable().describe('Last day on which it applies; null: no end.'),
  })
  .meta({ id: 'Rate' })

const example: z.infer<typeof rate> = {
  id: exampleRateId,
  name: 'Standard',
  dailyRate: '499.00',
  hourlyRate: '99.00',
  weeklyRate: '2990.00',
  monthlyRate: null,
  currency: 'NOK',
  validFrom: null,
  validTo: null,
}

function presentRate(row: Rate): z.infer<typeof rate> {
  const { id, name, currency, validFrom, validTo } = row
  return { id, name, ...writePrices(row, currency), currency, validFrom, validTo }
}

/** GET /asset-groups/{id}/rates: for display only, those that still apply or will (decision 11). */
export const listRates = operation({
  operationId: 'listRates',
  tag: 'catalog',
  summary: 'List the rates of a vehicle class',
  description:
    'For display only: the price that can be booked comes from a quote. Rates whose last day has passed are left out; future ones are included. You may cache them for 30 seconds.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/rates`,
  access: { scope: 'rates:read', limit: 'reads', session: false },
  caching: 'private, max-age=30',
  schema: { params: idParams('Id of the asset group.', demoGroupId) },
  answer: {
    status: 200,
    schema: dataOf(z.array(rate), 'RatesAnswer'),
    description: 'The rates by validFrom (open ones first), name and id.',
    example: { data: [example] },
  },
  errors: [notFound('asset group')],
  async handler({ catalogs, clock, keepAnswer }, request, reply) {
    const { terms, group } = await findGroup(catalogs, request.caller.tenant.id, request.params.id)
    const day = localDate(clock.now(), terms.timeZone)
    const list = keepAnswer(group, day, () => {
      const data = group.rates.filter((row) => isRateListed(row, day)).map(presentRate)
      return reply.serialize({ data }) as string
    })
    return sendConditionally(request, reply, list)
  },
})

/** The group as it is remembered; one that is not may have come since, so that is asked first. */
async function findGroup(catalogs: Deps['catalogs'], tenantId: string, id: string) {
  let catalog = await catalogs.find(tenantId)
  if (!catalog.groupsById.has(id)) catalog = await catalogs.renew(tenantId)
  const group = catalog.groupsById.get(id)
  if (group === undefined) throw notFound('asset group')
  return { terms: catalog.terms, group }
}
