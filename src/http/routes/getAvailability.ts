import { z } from 'zod'
import { countAvailability } from '../../db/availability.ts'
import { availableCount } from '../../domain/availability.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { unknownAssetGroup } from '../notFound.ts'
import { answerSchema, dataOf, dateTime, idParams, refineRange } from '../schemas.ts'

const query = z
  .object({ from: dateTime, to: dateTime })
  .superRefine(({ from, to }, context) => refineRange(from, to, 'to', context))

const availability = z.object({
  assetGroupId: z.string(),
  from: z.string(),
  to: z.string(),
  available: z.boolean(),
  availableCount: z.int(),
  totalAssets: z.int(),
})

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability: RoutePlugin = async (app, { deps }) => {
  typed(app).get(
    '/asset-groups/:id/availability',
    {
      config: { access: { scope: 'availability:read', limit: 'reads', session: false } },
      schema: {
        params: idParams,
        querystring: query,
        response: { 200: answerSchema(dataOf(availability)) },
      },
    },
    async ({ caller: { tenant }, params: { id }, query: { from, to } }) => {
      const count = await countAvailability(deps.database, tenant.id, id, { from, to })
      if (count === undefined) throw unknownAssetGroup()
      const free = availableCount(count.inService, count.peak)
      const data: z.infer<typeof availability> = {
        assetGroupId: id,
        from: from.toISOString(),
        to: to.toISOString(),
        available: free > 0,
        availableCount: free,
        totalAssets: count.total,
      }
      return { data }
    },
  )
}
