import { z } from 'zod'
import { countAvailability } from '../../db/availability.ts'
import { availableCount } from '../../domain/availability.ts'
import { longRange } from '../../domain/range.ts'
import { dateTime } from '../../input/dateTime.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { unknownAssetGroup } from '../notFound.ts'
import { dataOf, dateTimeOut, idParams, refineRange, uuidOut, whenRead } from '../schemas.ts'
import { validationError } from '../validation.ts'

const query = z
  .object({
    from: dateTime.describe('Beginning of the range.'),
    to: dateTime.describe(
      'End of the range, not part of it: later than `from`, by 366 days on the tenant’s clock at most.',
    ),
  })
  .superRefine(
    ({ from, to }, context) => refineRange(from, to, 'to', context),
    whenRead('from', 'to'),
  )

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

const example: z.infer<typeof availability> = {
  assetGroupId: '5b8f0a52-7c55-4a0e-9d0b-5f6f0f6f7a11',
  from: '2027-06-01T10:00:00.000Z',
  to: '2027-06-04T10:00:00.000Z',
  available: true,
  availableCount: 7,
  totalAssets: 24,
}

/** GET /asset-groups/{id}/availability: counts only, always fresh (decisions 54 to 58). */
export const getAvailability: RoutePlugin = async (app, { deps }) => {
  typed(app).get(
    '/asset-groups/:id/availability',
    {
      config: {
        access: { scope: 'availability:read', limit: 'reads', session: false },
        operation: {
          operationId: 'getAvailability',
          tag: 'catalog',
          summary: 'Count what is free',
          description:
            'How many vehicles of the class stay free during the whole of [from, to) and of the time one is prepared in afterwards: what is free can be confirmed. Never cached. A count is no hold: staff review every booking.',
          answer: { description: 'The count.', example: { data: example } },
          errors: ['NOT_FOUND'],
        },
      },
      schema: {
        params: idParams,
        querystring: query,
        response: { 200: dataOf(availability) },
      },
    },
    async ({ caller: { tenant }, params: { id }, query: { from, to } }) => {
      const problems = longRange({ from, to }, tenant.timeZone, 'query.to')
      if (problems.length > 0) throw validationError(problems)
      const count = await countAvailability(deps.database, tenant.id, id, { from, to })
      if (count === undefined) throw unknownAssetGroup()
      const free = availableCount(count)
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
