import { z } from 'zod'
import type { Catalog } from '../../domain/catalog.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../conditional.ts'
import type { RoutePlugin } from '../fastify.ts'
import { dataOf, uuidOut } from '../schemas.ts'

const assetGroup = z
  .object({
    id: uuidOut,
    name: z.string().describe('To be shown to customers.'),
    category: z.string().describe('The vehicle class, such as `car` or `van`.'),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
  })
  .meta({ id: 'AssetGroup' })

const example: z.infer<typeof assetGroup> = {
  id: '5b8f0a52-7c55-4a0e-9d0b-5f6f0f6f7a11',
  name: 'Economy',
  category: 'car',
  description: 'Toyota Yaris or similar',
  imageUrl: null,
}

/** GET /asset-groups: the tenant's vehicle classes, complete and in a stable order (decision 11). */
export const listAssetGroups: RoutePlugin = async (app, { deps }) => {
  const kept = new WeakMap<Catalog, Representation>()
  app.get(
    '/asset-groups',
    {
      config: {
        access: { scope: 'availability:read', limit: 'reads', session: false },
        caching: 'private, max-age=30',
        operation: {
          operationId: 'listAssetGroups',
          tag: 'catalog',
          summary: 'List the vehicle classes',
          description:
            'Everything that can be rented: complete, by category, name and id. You may keep it for 30 seconds; a long list comes compressed if you accept it.',
          answer: { description: 'The vehicle classes.', example: { data: [example] } },
        },
      },
      schema: { response: { 200: dataOf(z.array(assetGroup)) } },
    },
    async (request, reply) => {
      const catalog = await deps.catalogs.find(request.caller.tenant.id)
      let list = kept.get(catalog)
      if (list === undefined) {
        list = keptRepresentation(reply.serialize({ data: catalog.groups }) as string)
        kept.set(catalog, list)
      }
      return sendConditionally(request, reply, list)
    },
  )
}
