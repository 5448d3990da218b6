import { z } from 'zod'
import { listAssetGroups as queryAssetGroups } from '../../db/catalog.ts'
import type { RoutePlugin } from '../fastify.ts'
import { answerSchema, dataOf } from '../schemas.ts'

const assetGroup = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
})

/** GET /asset-groups: the tenant's vehicle classes, complete and in a stable order (decision 11). */
export const listAssetGroups: RoutePlugin = async (app, { deps }) => {
  app.get(
    '/asset-groups',
    {
      config: {
        access: { scope: 'availability:read', limit: 'reads', session: false },
        etag: true,
      },
      schema: { response: { 200: answerSchema(dataOf(z.array(assetGroup))) } },
    },
    async ({ caller }) => ({ data: await queryAssetGroups(deps.database, caller.tenant.id) }),
  )
}
