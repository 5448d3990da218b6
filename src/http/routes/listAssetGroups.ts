import type { Catalog } from '../../domain/catalog.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../door/conditional.ts'
import type { RoutePlugin } from '../fastify.ts'
import { listAssetGroupsDeclaration } from '../schemas/listAssetGroups.ts'

/** GET /asset-groups: the tenant's vehicle classes, all, in a stable order (decision 11). */
export const listAssetGroups: RoutePlugin = async (app, { deps }) => {
  const kept = new WeakMap<Catalog, Representation>()
  app.get('/asset-groups', listAssetGroupsDeclaration, async (request, reply) => {
    const catalog = await deps.catalogs.find(request.caller.tenant.id)
    let list = kept.get(catalog)
    if (list === undefined) {
      list = keptRepresentation(reply.serialize({ data: catalog.groups }) as string)
      kept.set(catalog, list)
    }
    return sendConditionally(request, reply, list)
  })
}
