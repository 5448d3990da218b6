import type { Deps } from '../../deps.ts'
import type { GroupOffer } from '../../domain/catalog.ts'
import { notFound } from '../../domain/errors.ts'
import { localDate } from '../../domain/period.ts'
import { isRateListed } from '../../domain/rates.ts'
import { keptRepresentation, type Representation, sendConditionally } from '../door/conditional.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { listRatesDeclaration, presentRate } from '../schemas/listRates.ts'

/** GET /asset-groups/{id}/rates: for display only, those that still apply or will (decision 11). */
export const listRates: RoutePlugin = async (app, { deps }) => {
  const kept = new WeakMap<GroupOffer, { readonly day: string; readonly list: Representation }>()
  typed(app).get('/asset-groups/:id/rates', listRatesDeclaration, async (request, reply) => {
    const { terms, group } = await findGroup(deps, request.caller.tenant.id, request.params.id)
    const day = localDate(deps.clock.now(), terms.timeZone)
    const known = kept.get(group)
    if (known?.day === day) return sendConditionally(request, reply, known.list)
    const data = group.rates.filter((row) => isRateListed(row, day)).map(presentRate)
    const list = keptRepresentation(reply.serialize({ data }) as string)
    kept.set(group, { day, list })
    return sendConditionally(request, reply, list)
  })
}

/** The group as it is remembered; one that is not may have come since, so that is asked first. */
async function findGroup({ catalogs }: Pick<Deps, 'catalogs'>, tenantId: string, id: string) {
  let catalog = await catalogs.find(tenantId)
  if (!catalog.groupsById.has(id)) catalog = await catalogs.renew(tenantId)
  const group = catalog.groupsById.get(id)
  if (group === undefined) throw notFound('asset group')
  return { terms: catalog.terms, group }
}
