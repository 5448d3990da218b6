import { z } from 'zod'
import { isCurrency } from '../domain/money.ts'
import { turnaroundMinutesMax } from '../domain/occupancy.ts'
import { extraPricings } from '../domain/pricing/extras.ts'
import { gracePeriodMinutesMax } from '../domain/pricing/period.ts'
import { seasonsChoices } from '../domain/pricing/ratePeriods.ts'
import { isTimeZone, spellTimeZone } from '../domain/timeZone.ts'
import { dateTime } from '../input/dateTime.ts'
import { paragraph, shortText, uuid, wholeNumber } from '../input/fields.ts'

// Objects are strict, so that misspelt fields are not ignored.
// Checks that involve several fields are in crossFieldErrors.ts.

/** The key that imports match on. Not trimmed: ` a` and `a` would silently become the same. */
const ref = z
  .string()
  .regex(/^\S(.*\S)?$/u, 'must not be empty, nor begin or end with white space')
  .pipe(shortText)

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits joined by hyphens')
  .max(63, 'must have at most 63 characters')

const imageUrl = z
  .string()
  .max(2_000, 'must have at most 2000 characters')
  .refine((value) => /^https?:\/\/[^\s\p{C}]+$/iu.test(value) && URL.canParse(value), {
    error: 'must be an http or https address',
  })

const unlessMissing = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is required' : message,
})

/** The number of decimals is checked in crossFieldErrors.ts, where the currency is known. */
const amountForm = /^\d{1,20}(\.\d{1,20})?$/
const moneyMessage = 'must be a decimal string of 0 or more, such as "499.00"'

/** An amount that may be 0, because extras can be free. */
const amount = z.string(unlessMissing(moneyMessage)).regex(amountForm, moneyMessage)

/** An amount above 0. A tier that costs nothing would make every longer rental free. */
const tierAmount = amount.refine(
  (value) => !amountForm.test(value) || /[1-9]/.test(value),
  'must be more than 0; leave the tier out if there is none',
)

const percentMessage = 'must be a string from "0" to "100" with at most 4 decimals, such as "25"'

const percent = z
  .string(unlessMissing(percentMessage))
  .regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, percentMessage)

const validityDate = z.iso
  .date('must be a date, such as 2027-06-01')
  .regex(/^(20\d\d|2100)-/, 'must lie between 2000 and 2100')

const currency = z.string().refine(isCurrency, 'must be a current ISO 4217 currency code')

/** The fields that groups, rates and extras share. */
const named = {
  ref: ref.describe('Known by this in later imports. Unique within its list.'),
  id: uuid
    .optional()
    .describe(
      'The id in the API. Chosen by the import when left out; never that of another tenant.',
    ),
  name: shortText.describe('Shown to customers.'),
}

const yearMinutes = 525_600
const yearHours = 8_760

export const pendingHold = wholeNumber(1, yearHours).nullable()

const tenant = z.strictObject({
  slug: slug.describe('Names the tenant in commands. Cannot be changed later.'),
  name: shortText.describe('Name of the rental company.'),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Oslo')
    .transform(spellTimeZone)
    .describe('IANA time zone, such as Europe/Oslo. Days and dates are counted in it.'),
  currency: currency.describe('ISO 4217 code of the prices, such as NOK.'),
  taxPercent: percent.describe('Tax as text, such as "25" or "7.7".'),
  pricesIncludeTax: z
    .boolean()
    .default(false)
    .describe('Whether prices include the tax. Otherwise it is added.'),
  gracePeriodMinutes: wholeNumber(0, gracePeriodMinutesMax)
    .default(29)
    .describe('How late a vehicle may come back without another charge, after at least one day.'),
  minLeadMinutes: wholeNumber(0, yearMinutes)
    .nullable()
    .default(0)
    .describe(
      'How long before the pickup a quote must be requested. Null: pickups may lie in the past.',
    ),
  seasons: z
    .enum(seasonsChoices, { error: 'must be "per_day" or "pickup"' })
    .default('per_day')
    .describe(
      'per_day: each day has the rate of its date. pickup: all days have that of the pickup.',
    ),
  pendingHoldHours: pendingHold
    .default(null)
    .describe('How long a pending booking counts as taken. Null: until staff decide.'),
})

const block = z.strictObject({
  from: dateTime.describe('Beginning, with an offset, such as 2027-01-10T08:00:00Z.'),
  to: dateTime.describe('End, later than from.'),
  reason: shortText.nullable().default(null).describe('For staff, such as "service".'),
})

const asset = z.strictObject({
  ref: ref.describe('The vehicle, such as its number plate. Unique within its group.'),
  blocks: z.array(block).default([]).describe('When the vehicle is out of service.'),
})

const rate = z.strictObject({
  ...named,
  currency: currency.optional().describe('Must be that of the group.'),
  dailyRate: tierAmount.describe('Price of a day as text, such as "499.00".'),
  hourlyRate: tierAmount.nullable().default(null).describe('Price of a started hour.'),
  weeklyRate: tierAmount.nullable().default(null).describe('Price of 7 days.'),
  monthlyRate: tierAmount.nullable().default(null).describe('Price of 30 days.'),
  validFrom: validityDate.nullable().default(null).describe('First date, such as 2027-06-01.'),
  validTo: validityDate.nullable().default(null).describe('Last date, included.'),
})

const assetGroup = z.strictObject({
  ...named,
  category: shortText.describe('What kind of vehicle it is, such as car or van.'),
  description: paragraph.nullable().default(null).describe('Shown to customers.'),
  imageUrl: imageUrl.nullable().default(null).describe('Address of a picture.'),
  currency: currency.optional().describe('Of its prices; that of the tenant when left out.'),
  turnaroundMinutes: wholeNumber(0, turnaroundMinutesMax)
    .default(0)
    .describe('How long a vehicle is prepared between two rentals.'),
  assets: z.array(asset).default([]).describe('The vehicles.'),
  rates: z.array(rate).default([]).describe('The prices, by season.'),
})

const extra = z.strictObject({
  ...named,
  pricing: z
    .enum(extraPricings, 'must be "per_day" or "per_rental"')
    .describe('Whether the price is for a day or for the whole rental.'),
  currency: currency.optional().describe('That of the tenant when left out.'),
  price: amount.describe('Price of one unit as text, such as "50.00".'),
  maxPrice: amount
    .nullable()
    .default(null)
    .describe('Highest price of one unit, however many days. For per_day only.'),
})

export const fleetFile = z.strictObject({
  $schema: z.string().optional().describe('For editors; ignored by the import.'),
  tenant: tenant.describe('The rental company.'),
  assetGroups: z.array(assetGroup).default([]).describe('The vehicle classes.'),
  extras: z.array(extra).default([]).describe('What can be booked with a vehicle.'),
})

/** A valid fleet file, with defaults filled in. */
export type FleetFile = z.output<typeof fleetFile>
