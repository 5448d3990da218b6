import { z } from 'zod'
import { extraPricings } from '../../domain/pricing/extras.ts'
import { openEnum, responseTypes } from './values.ts'

const amounts = {
  quantity: z.int().min(1).meta({ description: 'The number of units.' }),
  unitPrice: responseTypes.decimal,
  amount: responseTypes.decimal,
}

const rateLine = z
  .object({
    rateId: responseTypes.uuid.meta({ description: 'The rate that this line is charged by.' }),
    rateName: z.string().meta({ description: 'The name of that rate.' }),
    unit: openEnum(['month', 'week', 'day', 'hour']).meta({
      description: 'The charged period. A month is 30 days. New units may be added.',
    }),
    ...amounts,
  })
  .meta({ id: 'RateLine', description: '`amount` is `quantity` × `unitPrice`.' })

const chargedExtra = z
  .object({
    extraId: responseTypes.uuid.meta({ description: 'The id of the extra.' }),
    name: z.string().meta({ description: 'The name that customers see.' }),
    pricing: openEnum(extraPricings).meta({
      description: 'Whether a unit is charged for each day or once. New values may be added.',
    }),
    days: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Number of days charged. Null means priced per rental.' }),
    maxPrice: responseTypes.decimal.nullable().meta({
      description: 'Maximum price of one unit for any number of days. Null means no maximum.',
    }),
    ...amounts,
  })
  .meta({ id: 'ChargedExtra', description: 'An extra and what it costs in this rental.' })

const tax = z
  .object({
    percent: z.string().meta({ description: 'The tax rate in percent, such as `25` or `7.7`.' }),
    amount: responseTypes.decimal,
    included: z.boolean().meta({ description: 'Whether the subtotal already includes the tax.' }),
  })
  .meta({ id: 'Tax', description: 'The tax in the total.' })

const chargedRate = z
  .object({
    id: responseTypes.uuid.meta({ description: 'The rate of the first day.' }),
    name: z.string().meta({ description: 'The name of that rate.' }),
    lines: z.array(rateLine).meta({
      description:
        'The charges: the cheapest combination of months, weeks, days and hours, for each season separately.',
    }),
  })
  .meta({ id: 'ChargedRate', description: 'The price of the vehicle, without extras and tax.' })

export const breakdown = z
  .object({
    days: z.int().min(0).meta({
      description: 'Full days in the tenant’s time zone. A started 24th hour counts as a day.',
    }),
    hours: z.int().min(0).max(23).meta({
      description: 'Hours charged in addition to the full days. A started hour counts as an hour.',
    }),
    rate: chargedRate,
    extras: z.array(chargedExtra).meta({ description: 'The charged extras.' }),
    subtotal: responseTypes.decimal,
    tax,
    total: responseTypes.decimal,
  })
  .meta({
    id: 'Breakdown',
    description: 'The calculation of the total. The amounts of its lines add up exactly.',
  })
