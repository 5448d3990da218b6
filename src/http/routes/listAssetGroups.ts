import { z } from 'zod'
import type { Catalog } from '../../domain/catalog.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../door/conditional.ts'
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

/** The list of each catalog, for as long as that is remembered. */
const kept = new WeakMap<Catalog, Representation>()

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
  async handler({ catalogs }, request, reply) {
    const catalog = await catalogs.find(request.caller.tenant.id)
    let list = kept.get(catalog)
    if (list === undefined) {
      list = keptRepresentation(reply.serialize({ data: catalog.groups }) as string)
      kept.set(catalog, list)
    }
    return sendConditionally(request, reply, list)
  },
})
