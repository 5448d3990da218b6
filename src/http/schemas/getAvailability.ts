import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import {
  type Declaration,
  dataOf,
  dateTimeIn,
  dateTimeOut,
  demoGroupId,
  idParams,
  laterThan,
  uuidOut,
} from './values.ts'

const query = z
  .object({
    from: dateTimeIn('Beginning of the range.', '2035-06-01T10:00:00Z'),
    to: dateTimeIn(
      'End of the range, not part of it: later than `from`, by at most 366 days on the tenant’s clock.',
      '2035-06-04T10:00:00Z',
    ),
  })
  .superRefine(...laterThan('from', 'to'))

const availability = z
  .object({
    assetGroupId: uuidOut,
    from: dateTimeOut,
    to: dateTimeOut,
    available: z.boolean().describe('Whether at least one is free.'),
    availableCount: z.int().min(0),
    totalAssets: z.int().min(0).describe('All vehicles of the class, in service or not.'),
  })
  .meta({ id: 'Availability' })

export type Availability = z.infer<typeof availability>

const example: Availability = {
  assetGroupId: demoGroupId,
  from: '2035-06-01T10:00:00.000Z',
  to: '2035-06-04T10:00:00.000Z',
  available: true,
  availableCount: 7,
  totalAssets: 24,
}

/** GET /asset-groups/{id}/availability, as it is described and held to. */
export const getAvailabilityDeclaration = {
  config: {
    access: { scope: 'availability:read', limit: 'reads', session: false },
    operation: {
      operationId: 'getAvailability',
      tag: 'catalog',
      summary: 'Count free vehicles',
      description:
        'How many vehicles of the class are free from `from` until `to`, plus the time to prepare a vehicle afterwards. Staff can confirm whatever is counted as free. Never cached. Checking availability holds no vehicle.',
      answer: { description: 'How many are free.', example: { data: example } },
      errors: [notFound('asset group')],
    },
  },
  schema: {
    params: idParams('Id of the asset group.', demoGroupId),
    querystring: query,
    response: { 200: dataOf(availability, 'AvailabilityAnswer') },
  },
} satisfies Declaration
