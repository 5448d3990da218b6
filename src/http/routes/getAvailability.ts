import { z } from 'zod'
import { countAvailability } from '../../db/availability.ts'
import { availableCount } from '../../domain/availability.ts'
import { notFound, validationError } from '../../domain/errors.ts'
import { longRangeProblems } from '../../domain/priceRequest.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import {
  type Declaration,
  dataOf,
  dateTimeIn,
  dateTimeOut,
  demoGroupId,
  idParams,
  laterThan,
  uuidOut,
} from '../schemas/values.ts'

const query = z
  .object({
    from: dateTimeIn('Beginning of the range.', '2035-06-01T10:00:00Z'),
    to: dateTimeIn(
      'End of the range, not part of it: later than `from`, by 366 days on the tenant’s clock at most.',
      '2035-06-04T10:00:00Z',
    ),
  })
  .superRefine(...laterThan('from', 'to'))

const availability = z
  .object({
    assetGroupId: uuidOut,
    from: dateTimeOut,
    to: dateTimeOut,
    available: z.boolean().describe('Whether at least one is free.'),
    availableCount: z.int().min(0),
    totalAssets: z.int().min(0).describe('All vehicles of the class, in service or not.'),
  })
  .meta({ id: 'Availability' })

type Availability = z.infer<typeof availability>

const example: Availability = {
  assetGroupId: demoGroupId,
  from: '2035-06-01T10:00:00.000Z',
  to: '2035-06-04T10:00:00.000Z',
  available: true,
  availableCount: 7,
  totalAssets: 24,
}

const declaration = {
  config: {
    access: { scope: 'availability:read', limit: 'reads', session: false },
    operation: {
      operationId: 'getAvailability',
      tag: 'catalog',
      summary: 'Count what is free',
      description:
        'How many vehicles of the class are free during the whole of [from, to) and the time it takes to prepare one afterwards. What is counted as free, the staff can confirm. Never cached. Asking holds no vehicle.',
      answer: { description: 'How many are free.', example: { data: example } },
      errors: [notFound('asset group')],
    },
  },
  schema: {
    params: idParams('Id of the asset group.', demoGroupId),
    querystring: query,
    response: { 200: dataOf(availability, 'AvailabilityAnswer') },
  },
} satisfies Declaration

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability: RoutePlugin = async (app, { deps }) => {
  typed(app).get('/asset-groups/:id/availability', declaration, async (request) => {
    const { tenant } = request.caller
    const { id } = request.params
    const { from, to } = request.query
    const problems = longRangeProblems({ from, to }, tenant.timeZone, ['from', 'query.to'])
    if (problems.length > 0) throw validationError(problems)
    const count = await countAvailability(deps.database.reads, tenant.id, id, { from, to })
    if (count === undefined) throw notFound('asset group')
    const free = availableCount(count)
    const data: Availability = {
      assetGroupId: id,
      from: from.toISOString(),
      to: to.toISOString(),
      available: free > 0,
      availableCount: free,
      totalAssets: count.total,
    }
    return { data }
  })
}
