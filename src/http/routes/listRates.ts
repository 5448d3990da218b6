import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { textsFor, translate } from '../../domain/pricing/catalog.ts'
import { localDate } from '../../domain/pricing/period.ts'
import { formatPrices, isRateListed } from '../../domain/pricing/rates.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { exampleIds } from '../schemas/examples.ts'
import { assetGroupParams, dataOf, responseTypes } from '../schemas/values.ts'
import { cacheList, listPage, sendConditionally } from '../server/conditionalResponse.ts'

const rate = z
  .object({
    id: responseTypes.uuid.meta({ description: 'The id of the rate.' }),
    name: z.string().meta({ description: 'The name that customers see.' }),
    dailyRate: responseTypes.decimal,
    hourlyRate: responseTypes.decimal.nullable(),
    weeklyRate: responseTypes.decimal.nullable(),
    monthlyRate: responseTypes.decimal.nullable(),
    minDays: z.int().min(1).nullable().meta({
      description:
        'The charged days of the shortest rental whose pickup date has this rate. Null means any length.',
    }),
    currency: responseTypes.currency,
    validFrom: responseTypes.date
      .nullable()
      .meta({ description: 'First day on which the rate applies. Null means no start date.' }),
    validTo: responseTypes.date
      .nullable()
      .meta({ description: 'Last day on which the rate applies. Null means no end date.' }),
  })
  .meta({
    id: 'Rate',
    description: 'A rate, for display only: a quote has the price that can be booked.',
  })

/** GET /asset-groups/{id}/rates: lists current and future rates, for display only. */
export const listRates = operation({
  operationId: 'listRates',
  tag: 'catalog',
  summary: 'List the rates of an asset group',
  description:
    'Returns current and future rates; rates whose last day has passed are omitted. Rates are for display only: only the price of a quote can be booked. You may cache the response for 30 seconds.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/rates`,
  access: { scope: 'rates:read', activity: 'reads', session: false },
  cacheControl: 'private, max-age=30',
  translated: true,
  schema: { params: assetGroupParams },
  response: {
    status: 200,
    schema: dataOf(z.array(rate), 'RatesResponse'),
    description: 'The rates, ordered by `validFrom` (null first), name and id.',
    example: [
      {
        id: exampleIds.rate,
        name: 'Standard',
        dailyRate: '499.00',
        hourlyRate: '99.00',
        weeklyRate: '2990.00',
        monthlyRate: null,
        minDays: null,
        currency: 'NOK',
        validFrom: null,
        validTo: null,
      },
    ],
  },
  errors: [notFound('asset group')],
  async handler({ catalogs, now }, { caller, params, headers }, reply) {
    let catalog = await catalogs.find(caller.tenant.id)
    // The group may be newer than the cached catalog.
    if (!catalog.groupsById.has(params.id)) catalog = await catalogs.reload(caller.tenant.id)
    const group = catalog.groupsById.get(params.id)
    if (group === undefined) throw notFound('asset group')
    const today = localDate(now(), catalog.terms.timeZone)
    const listed = () => group.rates.filter((row) => isRateListed(row, today))
    const { language, texts } = textsFor(catalog, headers['accept-language']) ?? {}
    const list = cacheList(group, language, today, listed, (rows) => {
      const data = rows.map((row) => {
        return { ...translate(row, texts), ...formatPrices(row, row.currency) }
      })
      return reply.serialize({ data }) as string
    })
    return sendConditionally(reply, await list, listPage(language))
  },
})
