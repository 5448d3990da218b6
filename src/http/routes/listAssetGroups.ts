import { z } from 'zod'
import type { Catalog } from '../../domain/catalog.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../door/conditional.ts'
import type { RoutePlugin } from '../fastify.ts'
import { type Declaration, dataOf, demoGroupId, uuidOut } from '../schemas/values.ts'

const assetGroup = z
  .object({
    id: uuidOut,
    name: z.string().describe('To be shown to customers.'),
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

const declaration = {
  config: {
    access: { scope: 'availability:read', limit: 'reads', session: false },
    caching: 'private, max-age=30',
    operation: {
      operationId: 'listAssetGroups',
      tag: 'catalog',
      summary: 'List the vehicle classes',
      description:
        'Everything that can be rented, ordered by category, name and id. You may cache the list for 30 seconds.',
      answer: { description: 'All vehicle classes.', example: { data: [example] } },
    },
  },
  schema: { response: { 200: dataOf(z.array(assetGroup), 'AssetGroupsAnswer') } },
} satisfies Declaration

/** GET /asset-groups: the tenant's vehicle classes, all, in a stable order (decision 11). */
export const listAssetGroups: RoutePlugin = async (app, { deps }) => {
  const kept = new WeakMap<Catalog, Representation>()
  app.get('/asset-groups', declaration, async (request, reply) => {
    const catalog = await deps.catalogs.find(request.caller.tenant.id)
    let list = kept.get(catalog)
    if (list === undefined) {
      list = keptRepresentation(reply.serialize({ data: catalog.groups }) as string)
      kept.set(catalog, list)
    }
    return sendConditionally(request, reply, list)
  })
}
