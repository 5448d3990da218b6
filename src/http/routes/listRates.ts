import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { GroupOffer } from '../../domain/catalog.ts'
import { notFound } from '../../domain/errors.ts'
import { currencyDecimals, formatAmount } from '../../domain/money.ts'
import { localDate } from '../../domain/period.ts'
import { isRateListed, type Rate } from '../../domain/rates.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../door/conditional.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import {
  currencyOut,
  type Declaration,
  dataOf,
  dateOut,
  decimalOut,
  demoGroupId,
  idParams,
  uuidOut,
} from '../schemas/values.ts'

const rate = z
  .object({
    id: uuidOut,
    name: z.string(),
    dailyRate: decimalOut,
    hourlyRate: decimalOut.nullable(),
    weeklyRate: decimalOut.nullable(),
    monthlyRate: decimalOut.nullable(),
    currency: currencyOut,
    validFrom: dateOut.nullable().describe('First day on which it applies; null: no beginning.'),
    validTo: dateOut.nullable().describe('Last day on which it applies; null: no end.'),
  })
  .meta({ id: 'Rate' })

const example: z.infer<typeof rate> = {
  id: '0f1c8a3e-2f6b-4b57-8f0e-6b8f3f1f2a22',
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
  const decimals = currencyDecimals(row.currency)
  const amount = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, decimals))
  return {
    id: row.id,
    name: row.name,
    dailyRate: formatAmount(row.dailyMinor, decimals),
    hourlyRate: amount(row.hourlyMinor),
    weeklyRate: amount(row.weeklyMinor),
    monthlyRate: amount(row.monthlyMinor),
    currency: row.currency,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

const declaration = {
  config: {
    access: { scope: 'rates:read', limit: 'reads', session: false },
    caching: 'private, max-age=30',
    operation: {
      operationId: 'listRates',
      tag: 'catalog',
      summary: 'List the rates of a vehicle class',
      description:
        'For display only: the price that can be booked comes from a quote. Rates whose last day has passed are left out; future ones are included. You may cache them for 30 seconds.',
      answer: {
        description: 'The rates by validFrom (open ones first), name and id.',
        example: { data: [example] },
      },
      errors: [notFound('asset group')],
    },
  },
  schema: {
    params: idParams('Id of the asset group.', demoGroupId),
    response: { 200: dataOf(z.array(rate), 'RatesAnswer') },
  },
} satisfies Declaration

/** GET /asset-groups/{id}/rates: for display only, those that still apply or will (decision 11). */
export const listRates: RoutePlugin = async (app, { deps }) => {
  const kept = new WeakMap<GroupOffer, { readonly day: string; readonly list: Representation }>()
  typed(app).get('/asset-groups/:id/rates', declaration, async (request, reply) => {
    const { terms, group } = await findGroup(deps, request.caller.tenant.id, request.params.id)
    const day = localDate(deps.clock.now(), terms.timeZone)
    const known = kept.get(group)
    if (known?.day === day) return sendConditionally(request, reply, known.list)
    const data = group.rates.filter((row) => isRateListed(row, day)).map(presentRate)
    const list = keptRepresentation(reply.serialize({ data }) as string)
    kept.set(group, { day, list })
    return sendConditionally(request, reply, list)
  })
}

/** The group as it is remembered; one that is not may have come since, so that is asked first. */
async function findGroup({ catalogs }: Pick<Deps, 'catalogs'>, tenantId: string, id: string) {
  let catalog = await catalogs.find(tenantId)
  if (!catalog.groupsById.has(id)) catalog = await catalogs.renew(tenantId)
  const group = catalog.groupsById.get(id)
  if (group === undefined) throw notFound('asset group')
  return { terms: catalog.terms, group }
}
