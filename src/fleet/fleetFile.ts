import { z } from 'zod'
import { extraPricings } from '../domain/extras.ts'
import { isCurrency } from '../domain/money.ts'
import { seasonsChoices } from '../domain/stretches.ts'
import { isTimeZone, spellTimeZone } from '../domain/zone.ts'
import { dateTime } from '../input/dateTime.ts'
import { uuid } from '../input/fields.ts'
import {
  amount,
  calendarDate,
  imageUrl,
  line,
  paragraph,
  percent,
  ref,
  slug,
  tierAmount,
} from './fields.ts'

// The fleet file, field by field. Objects are strict: a misspelt field must not be ignored. What
// reaches across fields is in crossChecks.ts.

const currency = z.string().refine(isCurrency, 'must be a current ISO 4217 currency code')

const minutes = (max: number) =>
  z
    .int('must be a whole number of minutes')
    .min(0, 'must be 0 or more')
    .max(max, `must be at most ${max}`)

const yearMinutes = 525_600
const yearHours = 8_760

const tenant = z.strictObject({
  slug,
  name: line,
  timezone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Oslo')
    .transform((name) => (isTimeZone(name) ? spellTimeZone(name) : name)),
  currency,
  taxPercent: percent,
  pricesIncludeTax: z.boolean().default(false),
  gracePeriodMinutes: minutes(1439).default(29),
  minLeadMinutes: minutes(yearMinutes).nullable().default(0),
  seasons: z.enum(seasonsChoices, { error: 'must be "per_day" or "pickup"' }).default('per_day'),
  pendingHoldHours: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more; null holds until staff decide')
    .max(yearHours, `must be at most ${yearHours}`)
    .nullable()
    .default(null),
  sandbox: z.boolean().default(false),
})

const block = z.strictObject({
  from: dateTime,
  to: dateTime,
  reason: line.nullable().default(null),
})

const asset = z.strictObject({ ref, blocks: z.array(block).default([]) })

const rate = z.strictObject({
  ref,
  id: uuid.optional(),
  name: line,
  currency: currency.optional(),
  dailyRate: tierAmount,
  hourlyRate: tierAmount.nullable().default(null),
  weeklyRate: tierAmount.nullable().default(null),
  monthlyRate: tierAmount.nullable().default(null),
  validFrom: calendarDate.nullable().default(null),
  validTo: calendarDate.nullable().default(null),
})

const assetGroup = z.strictObject({
  ref,
  id: uuid.optional(),
  name: line,
  category: line,
  description: paragraph.nullable().default(null),
  imageUrl: imageUrl.nullable().default(null),
  currency: currency.optional(),
  turnaroundMinutes: minutes(43_200).default(0),
  assets: z.array(asset).default([]),
  rates: z.array(rate).default([]),
})

const extra = z.strictObject({
  ref,
  id: uuid.optional(),
  name: line,
  pricing: z.enum(extraPricings, 'must be "per_day" or "per_rental"'),
  currency: currency.optional(),
  price: amount,
  maxPrice: amount.nullable().default(null),
})

export const fleetFile = z.strictObject({
  tenant,
  assetGroups: z.array(assetGroup).default([]),
  extras: z.array(extra).default([]),
})

/** A fleet file that passed every check, its defaults filled in. */
export type FleetFile = z.output<typeof fleetFile>
