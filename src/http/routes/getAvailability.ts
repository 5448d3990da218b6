import { countAvailability } from '../../db/availability.ts'
import { availableCount } from '../../domain/availability.ts'
import { notFound, validationError } from '../../domain/errors.ts'
import { longRangeProblems } from '../../domain/priceRequest.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { type Availability, getAvailabilityDeclaration } from '../schemas/getAvailability.ts'

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability: RoutePlugin = async (app, { deps }) => {
  typed(app).get('/asset-groups/:id/availability', getAvailabilityDeclaration, async (request) => {
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
