import { z } from 'zod'
import { textsFor, translate } from '../../domain/pricing/catalog.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { exampleIds } from '../schemas/examples.ts'
import { dataOf, responseTypes } from '../schemas/values.ts'
import { cacheList, listPage, sendConditionally } from '../server/conditionalResponse.ts'

const assetGroup = z
  .object({
    id: responseTypes.uuid.meta({ description: 'The id of the asset group.' }),
    name: z.string().meta({ description: 'The name that customers see.' }),
    category: z.string().meta({ description: 'The kind of vehicle, such as `car` or `van`.' }),
    description: z.string().nullable().meta({
      description: 'A text for customers; it may have several lines. Null without one.',
    }),
    imageUrl: z.string().nullable().meta({
      format: 'uri',
      description:
        'The address of a picture, beginning with `https://` or `http://`. Null without one.',
    }),
  })
  .meta({ id: 'AssetGroup', description: 'A vehicle class.' })

/** GET /asset-groups: lists the tenant's asset groups in a stable order. */
export const listAssetGroups = operation({
  operationId: 'listAssetGroups',
  tag: 'catalog',
  summary: 'List asset groups',
  description:
    'Returns all asset groups (vehicle classes) that can be rented, ordered by category, name and id. You may cache the response for 30 seconds.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups`,
  access: { scope: 'availability:read', activity: 'reads', session: false },
  cacheControl: 'private, max-age=30',
  translated: true,
  schema: {},
  response: {
    status: 200,
    schema: dataOf(z.array(assetGroup), 'AssetGroupsResponse'),
    description: 'All asset groups.',
    example: [
      {
        id: exampleIds.assetGroup,
        name: 'Economy',
        category: 'car',
        description: 'Toyota Yaris or similar',
        imageUrl: null,
      },
    ],
  },
  async handler({ catalogs }, request, reply) {
    const catalog = await catalogs.find(request.caller.tenant.id)
    const { language, texts } = textsFor(catalog, request.headers['accept-language']) ?? {}
    const write = (groups: typeof catalog.groups) =>
      reply.serialize({ data: groups.map((group) => translate(group, texts)) }) as string
    const list = cacheList(catalog, language, catalog.version, () => catalog.groups, write)
    return sendConditionally(reply, await list, listPage(language))
  },
})
