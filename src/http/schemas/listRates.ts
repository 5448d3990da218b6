import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import type { Rate } from '../../domain/rates.ts'
import {
  currencyOut,
  type Declaration,
  dataOf,
  dateOut,
  decimalOut,
  demoGroupId,
  exampleRateId,
  idParams,
  uuidOut,
} from './values.ts'

const rate = z
  .object({
    id: uuidOut,
    name: z.string(),
    dailyRate: decimalOut,
    hourlyRate: decimalOut.nullable(),
    weeklyRate: decimalOut.nullable(),
    monthlyRate: decimalOut.nullable(),
    currency: currencyOut,
    validFrom: dateOut.nullable().describe('First day on which it applies; null: no beginning.'),
    validTo: dateOut.nullable().describe('Last day on which it applies; null: no end.'),
  })
  .meta({ id: 'Rate' })

const example: z.infer<typeof rate> = {
  id: exampleRateId,
  name: 'Standard',
  dailyRate: '499.00',
  hourlyRate: '99.00',
  weeklyRate: '2990.00',
  monthlyRate: null,
  currency: 'NOK',
  validFrom: null,
  validTo: null,
}

export function presentRate(row: Rate): z.infer<typeof rate> {
  const { currency } = row
  const amount = (minor: bigint | null) => (minor === null ? null : formatMoney(minor, currency))
  return {
    id: row.id,
    name: row.name,
    dailyRate: formatMoney(row.dailyMinor, currency),
    hourlyRate: amount(row.hourlyMinor),
    weeklyRate: amount(row.weeklyMinor),
    monthlyRate: amount(row.monthlyMinor),
    currency,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

/** GET /asset-groups/{id}/rates, as it is described and held to. */
export const listRatesDeclaration = {
  config: {
    access: { scope: 'rates:read', limit: 'reads', session: false },
    caching: 'private, max-age=30',
    operation: {
      operationId: 'listRates',
      tag: 'catalog',
      summary: 'List the rates of a vehicle class',
      description:
        'For display only: the price that can be booked comes from a quote. Rates whose last day has passed are left out; future ones are included. You may cache them for 30 seconds.',
      answer: {
        description: 'The rates by validFrom (open ones first), name and id.',
        example: { data: [example] },
      },
      errors: [notFound('asset group')],
    },
  },
  schema: {
    params: idParams('Id of the asset group.', demoGroupId),
    response: { 200: dataOf(z.array(rate), 'RatesAnswer') },
  },
} satisfies Declaration
