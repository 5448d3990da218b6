import { z } from 'zod'
import { turnaroundMinutesMax } from '../domain/occupancy.ts'
import { extraPricings } from '../domain/pricing/extras.ts'
import { gracePeriodMinutesMax } from '../domain/pricing/period.ts'
import { rangeDaysMax } from '../domain/pricing/priceRequest.ts'
import { seasonsChoices } from '../domain/pricing/ratePeriods.ts'
import { canonicalTimeZone, isTimeZone } from '../domain/timeZone.ts'
import { paragraph, plainText, shortText, wholeNumber } from '../input/fields.ts'
import {
  currency,
  decimal,
  imageUrl,
  language,
  percent,
  tierDecimal,
  translationsOf,
  validityDate,
} from './fieldTypes.ts'
import { openingHoursField, specialDaysField } from './hoursFields.ts'

/** How a cell of the workbook is read and written. */
export type CellKind =
  | 'text'
  | 'lines'
  | 'amount'
  | 'percent'
  | 'date'
  | 'time'
  | 'day'
  | 'wholeNumber'
  | { readonly choices: Readonly<Record<string, string | boolean>> }

/**
 * A field of a tenant, a group, a rate or an extra. The JSON file, its schema, the workbook, the
 * import, the change list and the export follow from the declaration.
 */
export interface FleetField {
  /** Its description is also the note of the workbook's title. */
  readonly field: z.ZodType
  /** The name of its column in src/db/schema/fleet.ts, if it differs from the field's. */
  readonly column?: string
  /** Default: text. An `amount` is a decimal string, and in the column the currency's minor unit. */
  readonly kind?: CellKind
  /** The title in the workbook; null for a field that the workbook does not have. */
  readonly title: string | null
  /** In characters. */
  readonly width?: number
  /** The sheet must have the column, and each row a value. */
  readonly required?: boolean
  /** Only in workbooks that need it. */
  readonly optional?: boolean
  /** Not for websites: `rental site config` leaves it out. */
  readonly internal?: true
  /** May have columns beside it with the text in other languages, such as `Name (de)`. */
  readonly translatable?: boolean
}

export type FleetFields = Readonly<Record<string, FleetField>>

const yearMinutes = 525_600
const yearHours = 8_760
const customerRetentionMonthsMax = 1_200
const factsMax = 6

/** A text that may be missing in a translation. */
const translatable = <Text extends z.ZodType>(text: Text) => text.nullable().optional()

const address = plainText({ min: 1, max: 300, multiline: true })
const facts = z
  .array(plainText({ min: 1, max: 60 }))
  .max(factsMax, `must have at most ${factsMax} texts`)

export const tenantFields = {
  name: {
    title: 'Name',
    required: true,
    field: shortText.describe('Name of the rental company.'),
  },
  timezone: {
    column: 'timeZone',
    title: 'Time zone',
    required: true,
    field: z
      .string()
      .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Oslo')
      .transform(canonicalTimeZone)
      .describe('IANA time zone, such as Europe/Oslo. Days and dates are counted in this zone.'),
  },
  currency: {
    title: 'Currency',
    required: true,
    field: currency.describe('ISO 4217 code of all prices, such as NOK.'),
  },
  taxPercent: {
    title: 'Tax percent',
    kind: 'percent',
    required: true,
    field: percent.describe('Tax in percent, such as 25 or 7.7.'),
  },
  pricesIncludeTax: {
    title: 'Prices include tax',
    kind: { choices: { yes: true, no: false } },
    field: z
      .boolean()
      .default(false)
      .describe('Whether prices include the tax. Otherwise it is added.'),
  },
  gracePeriodMinutes: {
    title: 'Grace period minutes',
    kind: 'wholeNumber',
    field: wholeNumber(0, gracePeriodMinutesMax)
      .default(29)
      .describe('How late a vehicle may come back without another charge, after at least one day.'),
  },
  minLeadMinutes: {
    title: 'Minimum lead minutes',
    kind: 'wholeNumber',
    field: wholeNumber(0, yearMinutes)
      .nullable()
      .default(0)
      .describe(
        'How long before the pickup a quote must be requested. Null: pickups may lie in the past.',
      ),
  },
  seasons: {
    title: 'Seasons',
    kind: { choices: { 'per day': 'per_day', pickup: 'pickup' } },
    field: z
      .enum(seasonsChoices, { error: 'must be "per_day" or "pickup"' })
      .default('per_day')
      .describe(
        'per_day: each day has the rate of its date. pickup: all days have the rate of the pickup date.',
      ),
  },
  pendingHoldHours: {
    title: 'Pending hold hours',
    internal: true,
    kind: 'wholeNumber',
    field: wholeNumber(1, yearHours)
      .nullable()
      .default(null)
      .describe('How long a pending booking counts as taken. Null: until staff decide.'),
  },
  customerRetentionMonths: {
    title: 'Customer retention months',
    internal: true,
    kind: 'wholeNumber',
    field: wholeNumber(1, customerRetentionMonthsMax)
      .nullable()
      .default(null)
      .describe('How long after the drop-off customer data is kept. Null: for ever.'),
  },
  openingHours: { title: null, field: openingHoursField },
  specialDays: { title: null, field: specialDaysField },
  address: {
    title: 'Address',
    translatable: true,
    field: address
      .nullable()
      .default(null)
      .describe('Where vehicles are picked up, for customers. It may have several lines.'),
  },
  facts: {
    title: 'Facts',
    kind: 'lines',
    translatable: true,
    field: facts
      .default([])
      .describe(
        `Up to ${factsMax} short texts for customers, such as "Free cancellation". In a workbook, each has a line.`,
      ),
  },
  translations: {
    title: null,
    field: translationsOf(
      z.strictObject({ address: translatable(address), facts: translatable(facts) }),
    ),
  },
  language: {
    title: 'Language',
    field: language
      .default('en')
      .describe('The language of names and descriptions, as a BCP 47 tag, such as en.'),
  },
} as const satisfies FleetFields

type TenantFields = typeof tenantFields
type InternalName = {
  [Name in keyof TenantFields]: TenantFields[Name] extends { internal: true } ? Name : never
}[keyof TenantFields]

/** Returns the values of a tenant's fields without those that are internal. */
export function withoutInternal<Values extends object>(values: Values) {
  const fields: FleetFields = tenantFields
  const entries = Object.entries(values).filter(([name]) => fields[name]?.internal !== true)
  return Object.fromEntries(entries) as Omit<Values, InternalName>
}

const namedTexts = z.strictObject({ name: translatable(shortText) })
const describedTexts = namedTexts.extend({
  category: translatable(shortText),
  description: translatable(paragraph),
})

const name = {
  translatable: true,
  field: shortText.describe('Shown to customers.'),
} as const
const description = {
  title: 'Description',
  width: 40,
  translatable: true,
  field: paragraph.nullable().default(null).describe('Shown to customers.'),
} as const
const ref = shortText.describe('Identifies the entry in later imports. Unique within its list.')

export const groupFields = {
  ref: { title: 'Group', required: true, field: ref },
  name: { ...name, title: 'Name', width: 20 },
  category: {
    title: 'Category',
    translatable: true,
    field: shortText.describe('What kind of vehicle it is, such as car or van.'),
  },
  description,
  translations: { title: null, field: translationsOf(describedTexts) },
  imageUrl: {
    title: 'Image URL',
    width: 30,
    field: imageUrl.nullable().default(null).describe('Address of a picture.'),
  },
  turnaroundMinutes: {
    title: 'Turnaround minutes',
    kind: 'wholeNumber',
    width: 20,
    field: wholeNumber(0, turnaroundMinutesMax)
      .default(0)
      .describe('How long a vehicle is prepared between two rentals.'),
  },
} as const satisfies FleetFields

/** The currency of a group or an extra. Its column is never null. */
export const ownCurrency = {
  title: 'Currency',
  field: currency
    .optional()
    .describe('Currency of the prices. Default: the currency of the tenant.'),
} as const satisfies FleetField

const tier = <Column extends string>(column: Column, title: string, description: string) => {
  const field = tierDecimal.nullable().default(null).describe(description)
  return { column, title, kind: 'amount', field } as const
}
const date = (description: string) => validityDate.nullable().default(null).describe(description)

export const rateFields = {
  ref: { title: 'Ref', optional: true, field: ref },
  name: { ...name, title: 'Rate', width: 16 },
  translations: { title: null, field: translationsOf(namedTexts) },
  dailyRate: {
    column: 'dailyMinor',
    title: 'Per day',
    kind: 'amount',
    required: true,
    field: tierDecimal.describe('Price of a day.'),
  },
  hourlyRate: tier('hourlyMinor', 'Per hour', 'Price of a started hour, if there is one.'),
  weeklyRate: tier('weeklyMinor', 'Per week', 'Price of 7 days, if there is one.'),
  monthlyRate: tier('monthlyMinor', 'Per month', 'Price of 30 days, if there is one.'),
  minDays: {
    title: 'Minimum days',
    kind: 'wholeNumber',
    field: wholeNumber(1, rangeDaysMax)
      .nullable()
      .default(null)
      .describe('Shortest rental that may begin at this rate, in charged days. Null: any length.'),
  },
  validFrom: {
    title: 'Valid from',
    kind: 'date',
    field: date('First date, such as 2027-06-01. Null: no limit.'),
  },
  validTo: { title: 'Valid to', kind: 'date', field: date('Last date, included. Null: no limit.') },
} as const satisfies FleetFields

export const extraFields = {
  ref: { title: 'Ref', optional: true, field: ref },
  name: { ...name, title: 'Extra', required: true, width: 20 },
  category: {
    title: 'Category',
    translatable: true,
    field: shortText
      .nullable()
      .default(null)
      .describe('Groups extras for customers, such as protection and equipment.'),
  },
  description,
  translations: { title: null, field: translationsOf(describedTexts) },
  price: {
    column: 'priceMinor',
    title: 'Price',
    kind: 'amount',
    required: true,
    field: decimal.describe('Price of one unit.'),
  },
  pricing: {
    title: 'Per',
    kind: { choices: { day: 'per_day', rental: 'per_rental' } },
    required: true,
    field: z
      .enum(extraPricings, 'must be "per_day" or "per_rental"')
      .describe('Whether the price is for a day or for the whole rental.'),
  },
  maxPrice: {
    column: 'maxPriceMinor',
    title: 'At most',
    kind: 'amount',
    field: decimal
      .nullable()
      .default(null)
      .describe('Highest price of one unit, however many days. Only for extras per day.'),
  },
} as const satisfies FleetFields
