import { z } from 'zod'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, responseTypes } from '../schemas/values.ts'
import { cacheResponse, sendConditionally } from '../server/conditionalResponse.ts'

const assetGroup = z
  .object({
    id: responseTypes.uuid,
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
  response: { status: 200, schema: dataOf(z.array(assetGroup), 'AssetGroupsAnswer') },
  async handler({ catalogs }, request, reply) {
    const catalog = await catalogs.find(request.caller.tenant.id)
    const write = () => reply.serialize({ data: catalog.groups }) as string
    return sendConditionally(reply, cacheResponse(catalog, catalog.version, write))
  },
})
