import { z } from 'zod'
import { type Declaration, dataOf, demoGroupId, uuidOut } from './values.ts'

const assetGroup = z
  .object({
    id: uuidOut,
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

/** GET /asset-groups, as it is described and held to. */
export const listAssetGroupsDeclaration = {
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
