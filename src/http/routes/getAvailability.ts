import { z } from 'zod'
import { countAvailability } from '../../db/queries/availability.ts'
import { notFound, validationError } from '../../domain/errors.ts'
import { availableCount } from '../../domain/occupancy.ts'
import { longRangeProblems } from '../../domain/pricing/priceRequest.ts'
import { dateTime } from '../../input/dateTime.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, idParams, laterThan, responseTypes } from '../schemas/values.ts'

const query = z.object({ from: dateTime, to: dateTime }).superRefine(...laterThan('from', 'to'))

const availability = z
  .object({
    assetGroupId: responseTypes.uuid,
    from: responseTypes.dateTime,
    to: responseTypes.dateTime,
    available: z.boolean(),
    availableCount: z.int().min(0),
    totalAssets: z.int().min(0),
  })
  .meta({ id: 'Availability' })

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability = operation({
  operationId: 'getAvailability',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/availability`,
  access: { scope: 'availability:read', activity: 'reads', session: false },
  schema: { params: idParams, query },
  response: { status: 200, schema: dataOf(availability, 'AvailabilityAnswer') },
  async handler({ database }, { caller: { tenant }, params: { id }, query: { from, to } }) {
    const problems = longRangeProblems({ from, to }, tenant.timeZone, ['from', 'query.to'])
    if (problems.length > 0) throw validationError(problems)
    const counted = await countAvailability(database.reads, tenant.id, id, { from, to })
    if (counted === undefined) throw notFound('asset group')
    const data: z.infer<typeof availability> = {
      assetGroupId: id,
      from: from.toISOString(),
      to: to.toISOString(),
      available: availableCount(counted) > 0,
      availableCount: availableCount(counted),
      totalAssets: counted.total,
    }
    return { data }
  },
})
