import { z } from 'zod'
import { countAvailability, type GroupCount } from '../../db/availability.ts'
import { availableCount } from '../../domain/availability.ts'
import { notFound, validationError } from '../../domain/errors.ts'
import { longRangeProblems } from '../../domain/priceRequest.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { dataOf, dateTimeIn, demoGroupId, idParams, laterThan, out } from '../schemas/values.ts'

const query = z
  .object({
    from: dateTimeIn('Beginning of the range.', '2035-06-01T10:00:00Z'),
    to: dateTimeIn(
      'End of the range, not part of it: later than `from`, by at most 366 days on the tenant’s clock.',
      '2035-06-04T10:00:00Z',
    ),
  })
  .superRefine(...laterThan('from', 'to'))

const availability = z
  .object({
    assetGroupId: out.uuid,
    from: out.dateTime,
    to: out.dateTime,
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

function present(
  assetGroupId: string,
  { from, to }: z.infer<typeof query>,
  counted: GroupCount,
): Availability {
  const free = availableCount(counted)
  return {
    assetGroupId,
    from: from.toISOString(),
    to: to.toISOString(),
    available: free > 0,
    availableCount: free,
    totalAssets: counted.total,
  }
}

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability = operation({
  operationId: 'getAvailability',
  tag: 'catalog',
  summary: 'Count free vehicles',
  description:
    'How many vehicles of the class are free from `from` until `to`, plus the time to prepare a vehicle afterwards. Staff can confirm whatever is counted as free. Never cached. Checking availability holds no vehicle.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/availability`,
  access: { scope: 'availability:read', limit: 'reads', session: false },
  schema: { params: idParams('Id of the asset group.', demoGroupId), query },
  answer: {
    status: 200,
    schema: dataOf(availability, 'AvailabilityAnswer'),
    description: 'How many are free.',
    example: { data: example },
  },
  errors: [notFound('asset group')],
  async handler({ database }, { caller: { tenant }, params: { id }, query: window }) {
    const problems = longRangeProblems(window, tenant.timeZone, ['from', 'query.to'])
    if (problems.length > 0) throw validationError(problems)
    const counted = await countAvailability(database.reads, tenant.id, id, window)
    if (counted === undefined) throw notFound('asset group')
    return { data: present(id, window, counted) }
  },
})
