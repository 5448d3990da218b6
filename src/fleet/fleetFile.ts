import { z } from 'zod'
import { isCurrency } from '../domain/money.ts'
import { turnaroundMinutesMax } from '../domain/occupancy.ts'
import { extraPricings } from '../domain/pricing/extras.ts'
import { gracePeriodMinutesMax } from '../domain/pricing/period.ts'
import { seasonsChoices } from '../domain/pricing/ratePeriods.ts'
import { isTimeZone, spellTimeZone } from '../domain/timeZone.ts'
import { dateTime } from '../input/dateTime.ts'
import { paragraph, shortText, uuid, wholeNumber } from '../input/fields.ts'

// The fleet file, field by field. Objects are strict: a misspelt field must not be ignored. What
// reaches across fields is in crossChecks.ts.

/** What a later import matches on. Not trimmed: ` a` and `a` would silently be one. */
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

/** How many decimals the currency allows is checked where the currency is known. */
const amountForm = /^\d{1,20}(\.\d{1,20})?$/
const moneyMessage = 'must be a decimal string of 0 or more, such as "499.00"'

/** An amount that may be nothing: an extra can be free. */
const amount = z.string(unlessMissing(moneyMessage)).regex(amountForm, moneyMessage)

/** A tier of 0 would make every longer rental free (decision 48). */
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

/** What a group, a rate and an extra are known by. */
const named = { ref, id: uuid.optional(), name: shortText }

const yearMinutes = 525_600
const yearHours = 8_760

export const pendingHold = wholeNumber(1, yearHours).nullable()

const tenant = z.strictObject({
  slug,
  name: shortText,
  timezone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Oslo')
    .transform(spellTimeZone),
  currency,
  taxPercent: percent,
  pricesIncludeTax: z.boolean().default(false),
  gracePeriodMinutes: wholeNumber(0, gracePeriodMinutesMax).default(29),
  minLeadMinutes: wholeNumber(0, yearMinutes).nullable().default(0),
  seasons: z.enum(seasonsChoices, { error: 'must be "per_day" or "pickup"' }).default('per_day'),
  pendingHoldHours: pendingHold.default(null),
})

const block = z.strictObject({
  from: dateTime,
  to: dateTime,
  reason: shortText.nullable().default(null),
})

const asset = z.strictObject({ ref, blocks: z.array(block).default([]) })

const rate = z.strictObject({
  ...named,
  currency: currency.optional(),
  dailyRate: tierAmount,
  hourlyRate: tierAmount.nullable().default(null),
  weeklyRate: tierAmount.nullable().default(null),
  monthlyRate: tierAmount.nullable().default(null),
  validFrom: validityDate.nullable().default(null),
  validTo: validityDate.nullable().default(null),
})

const assetGroup = z.strictObject({
  ...named,
  category: shortText,
  description: paragraph.nullable().default(null),
  imageUrl: imageUrl.nullable().default(null),
  currency: currency.optional(),
  turnaroundMinutes: wholeNumber(0, turnaroundMinutesMax).default(0),
  assets: z.array(asset).default([]),
  rates: z.array(rate).default([]),
})

const extra = z.strictObject({
  ...named,
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
