import { z } from 'zod'
import { sendConditionally } from '../door/conditional.ts'
import { apiPrefix, operation } from '../fastify.ts'
import { dataOf, demoGroupId, out } from '../schemas/values.ts'

const assetGroup = z
  .object({
    id: out.uuid,
    name: z.string().describe('Shown to customers.'),
    category: z.string().describe('What kind of vehicle it is, such as `car` or `van`.'),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
  })
  .meta({ id: 'AssetGroup' })

const example: z.infer<typeof assetGroup> = {
  id: demoGroupId,
  name: 'Economy',
  category: 'car',
  description: 'Toyota Yaris or similar',
  imageUrl: null,
}

/** GET /asset-groups: the tenant's vehicle classes, all, in a stable order (decision 11). */
export const listAssetGroups = operation({
  operationId: 'listAssetGroups',
  tag: 'catalog',
  summary: 'List the vehicle classes',
  description:
    'Everything that can be rented, ordered by category, name and id. You may cache the list for 30 seconds.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups`,
  access: { scope: 'availability:read', limit: 'reads', session: false },
  caching: 'private, max-age=30',
  schema: {},
  answer: {
    status: 200,
    schema: dataOf(z.array(assetGroup), 'AssetGroupsAnswer'),
    description: 'All vehicle classes.',
    example: { data: [example] },
  },
  async handler({ catalogs, keepAnswer }, request, reply) {
    const catalog = await catalogs.find(request.caller.tenant.id)
    const write = () => reply.serialize({ data: catalog.groups }) as string
    const list = keepAnswer(catalog, catalog.version, write)
    return sendConditionally(request, reply, list)
  },
})
