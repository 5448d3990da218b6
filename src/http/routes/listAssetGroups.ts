import { z } from 'zod'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, out } from '../schemas/values.ts'
import { keepAnswer, sendConditionally } from '../server/conditionalResponse.ts'

const assetGroup = z
  .object({
    id: out.uuid,
    name: z.string(),
    category: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
  })
  .meta({ id: 'AssetGroup' })

/** GET /asset-groups: the tenant's vehicle classes, all, in a stable order (decision 11). */
export const listAssetGroups = operation({
  operationId: 'listAssetGroups',
  method: 'GET',
  url: `${apiPrefix}/asset-groups`,
  access: { scope: 'availability:read', activity: 'reads', session: false },
  cacheControl: 'private, max-age=30',
  schema: {},
  answer: { status: 200, schema: dataOf(z.array(assetGroup), 'AssetGroupsAnswer') },
  async handler({ catalogs }, request, reply) {
    const catalog = await catalogs.find(request.caller.tenant.id)
    const write = () => reply.serialize({ data: catalog.groups }) as string
    return sendConditionally(reply, keepAnswer(catalog, catalog.version, write))
  },
})
