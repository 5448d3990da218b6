import { z } from 'zod'
import { notFound, validationError } from '../../domain/errors.ts'
import { availableCount } from '../../domain/occupancy.ts'
import { longRangeProblems } from '../../domain/pricing/priceRequest.ts'
import { dateTime, laterThan } from '../../input/dateTime.ts'
import { apiPrefix, operation } from '../chain/operation.ts'
import { exampleIds } from '../schemas/examples.ts'
import { assetGroupParams, dataOf, responseTypes, withOffset } from '../schemas/values.ts'

const query = z
  .object({
    from: dateTime.meta({
      description: `Start of the range. ${withOffset}`,
      example: '2035-06-01T10:00:00Z',
    }),
    to: dateTime.meta({
      description: `End of the range, exclusive. ${withOffset} Must be later than \`from\`, by at most 366 days in the tenant’s time zone.`,
      example: '2035-06-04T10:00:00Z',
    }),
  })
  .superRefine(...laterThan('from', 'to'))

const soldOutPeriod = z
  .object({
    from: responseTypes.dateTime.meta({ description: 'Start of the period, in UTC.' }),
    to: responseTypes.dateTime.meta({ description: 'End of the period, in UTC.' }),
  })
  .meta({ id: 'SoldOutPeriod', description: 'A period without a free vehicle, half-open.' })

const availability = z
  .object({
    assetGroupId: responseTypes.assetGroupId,
    from: responseTypes.dateTime,
    to: responseTypes.dateTime,
    available: z.boolean().meta({ description: 'Whether at least one vehicle is available.' }),
    availableCount: z.int().min(0).meta({ description: 'Number of vehicles that are available.' }),
    totalAssets: z
      .int()
      .min(0)
      .meta({ description: 'Number of vehicles in the asset group, including blocked vehicles.' }),
    soldOut: z.array(soldOutPeriod).meta({
      description:
        'The parts of the range in which no vehicle is free, in order. A rental of an hour or more that overlaps one of them is not available. Empty if `available` is true. A rental between two of them may still not be available: ask for its own range.',
      example: [{ from: '2035-06-02T09:00:00.000Z', to: '2035-06-03T10:00:00.000Z' }],
    }),
  })
  .meta({ id: 'Availability', description: 'The vehicles of an asset group in a range.' })

/** GET /asset-groups/{id}/availability: counts available vehicles; never cached. */
export const getAvailability = operation({
  operationId: 'getAvailability',
  tag: 'catalog',
  summary: 'Count available vehicles',
  description:
    'Counts the vehicles of the asset group that are available from `from` until `to`, and for the turnaround after `to`. Staff can confirm one booking for each available vehicle. `soldOut` shows a calendar of a whole month in one request. The response is never cached, and no vehicle is reserved.',
  method: 'GET',
  url: `${apiPrefix}/asset-groups/:id/availability`,
  access: { scope: 'availability:read', activity: 'reads', session: false },
  schema: { params: assetGroupParams, query },
  response: {
    status: 200,
    schema: dataOf(availability, 'AvailabilityResponse'),
    description: 'The number of available vehicles.',
    example: {
      assetGroupId: exampleIds.assetGroup,
      from: '2035-06-01T10:00:00.000Z',
      to: '2035-06-04T10:00:00.000Z',
      available: true,
      availableCount: 7,
      totalAssets: 24,
      soldOut: [],
    },
  },
  errors: [notFound('asset group')],
  async handler({ countRental }, { caller: { tenant, key }, params: { id }, query }) {
    const { from, to } = query
    const problems = longRangeProblems({ from, to }, tenant.timeZone, ['from', 'query.to'])
    if (problems.length > 0) throw validationError(problems)
    const counted = await countRental(key.id, tenant.id, id, { from, to })
    if (counted === undefined) throw notFound('asset group')
    const data: z.infer<typeof availability> = {
      assetGroupId: id,
      from: from.toISOString(),
      to: to.toISOString(),
      available: availableCount(counted) > 0,
      availableCount: availableCount(counted),
      totalAssets: counted.total,
      soldOut: counted.soldOut.map((period) => {
        return { from: period.from.toISOString(), to: period.to.toISOString() }
      }),
    }
    return { data }
  },
})
