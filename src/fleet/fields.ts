import { z } from 'zod'
import { canonicalLanguage, type Translations } from '../domain/languages.ts'
import { isCurrency } from '../domain/money.ts'
import { turnaroundMinutesMax } from '../domain/occupancy.ts'
import { extraPricings } from '../domain/pricing/extras.ts'
import { rangeDaysMax } from '../domain/pricing/priceRequest.ts'
import { paragraph, shortText, wholeNumber } from '../input/fields.ts'

/**
 * A field of a group, a rate or an extra. The JSON file, its schema, the import, the change list and
 * the export follow from the declaration.
 */
interface FleetField {
  /** The name of its column in src/db/schema/fleet.ts. */
  readonly column: string
  readonly field: z.ZodType
  /** Whether the file has a decimal string, and the column the currency's minor unit. */
  readonly isAmount: boolean
}

export type FleetFields = Readonly<Record<string, FleetField>>

const plain = <const Column extends string, Field extends z.ZodType>(
  column: Column,
  field: Field,
) => ({ column, field, isAmount: false }) as const
const amount = <const Column extends string, Field extends z.ZodType>(
  column: Column,
  field: Field,
) => ({ column, field, isAmount: true }) as const

const imageUrl = z
  .string()
  .max(2_000, 'must have at most 2000 characters')
  .refine((value) => /^https?:\/\/[^\s\p{C}]+$/iu.test(value) && URL.canParse(value), {
    error: 'must be an http or https address',
  })

/** Returns an error option with the message for invalid values, but not for missing ones. */
export const unlessMissing = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is required' : message,
})

/** The number of decimals depends on the currency, and is checked in fleetFile.ts. */
const amountForm = /^\d{1,20}(\.\d{1,20})?$/
const amountMessage = 'must be a decimal string of 0 or more, such as "499.00"'

/** An amount that may be 0, because extras can be free. */
const decimal = z.string(unlessMissing(amountMessage)).regex(amountForm, amountMessage)

/** An amount above 0. A tier that costs nothing would make every longer rental free. */
const tierDecimal = decimal.refine(
  (value) => !amountForm.test(value) || /[1-9]/.test(value),
  'must be more than 0; leave the tier out if there is none',
)

const validityDate = z.iso
  .date('must be a date, such as 2027-06-01')
  .regex(/^(20\d\d|2100)-/, 'must lie between 2000 and 2100')

export const currency = z.string().refine(isCurrency, 'must be a current ISO 4217 currency code')

const unknownLanguage = 'must be a BCP 47 language tag, such as de or pt-BR'

/** A language tag in its canonical form. */
export const language = z
  .string()
  .refine((tag) => canonicalLanguage(tag) !== undefined, unknownLanguage)
  .overwrite((tag) => canonicalLanguage(tag) ?? tag)

function reportTags(translations: Translations, context: z.RefinementCtx): void {
  const seen = new Map<string | undefined, string>()
  for (const tag of Object.keys(translations)) {
    const canonical = canonicalLanguage(tag)
    const first = seen.get(canonical)
    seen.set(canonical, tag)
    if (canonical !== undefined && first === undefined) continue
    const message = canonical === undefined ? unknownLanguage : `is the same language as "${first}"`
    context.addIssue({ code: 'custom', path: [tag], message })
  }
}

/** Returns translations with canonical tags, without empty texts and languages. */
function canonicalTranslations(translations: Translations): Translations {
  const languages = Object.entries(translations).map(([tag, texts]) => {
    const given = Object.entries(texts).filter(([, text]) => text !== null && text !== undefined)
    return [canonicalLanguage(tag) ?? tag, Object.fromEntries(given)] as const
  })
  return Object.fromEntries(languages.filter(([, texts]) => Object.keys(texts).length > 0))
}

const translationsOf = (texts: z.ZodType<Translations[string]>) =>
  plain(
    'translations',
    z
      .record(z.string(), texts)
      .superRefine(reportTags)
      .overwrite(canonicalTranslations)
      .default({})
      .describe('The texts in other languages, by BCP 47 tag, such as de or pt-BR.'),
  )

/** A text that may be missing in a translation. */
const translatable = (text: typeof shortText) => text.nullable().optional()
const namedTexts = z.strictObject({ name: translatable(shortText) })

const named = {
  ref: plain(
    'ref',
    shortText.describe('Identifies the entry in later imports. Unique within its list.'),
  ),
  name: plain('name', shortText.describe('Shown to customers.')),
}

export const groupFields = {
  ...named,
  category: plain(
    'category',
    shortText.describe('What kind of vehicle it is, such as car or van.'),
  ),
  description: plain(
    'description',
    paragraph.nullable().default(null).describe('Shown to customers.'),
  ),
  translations: translationsOf(namedTexts.extend({ description: translatable(paragraph) })),
  imageUrl: plain('imageUrl', imageUrl.nullable().default(null).describe('Address of a picture.')),
  turnaroundMinutes: plain(
    'turnaroundMinutes',
    wholeNumber(0, turnaroundMinutesMax)
      .default(0)
      .describe('How long a vehicle is prepared between two rentals.'),
  ),
} satisfies FleetFields

const tier = (description: string) => tierDecimal.nullable().default(null).describe(description)
const date = (description: string) => validityDate.nullable().default(null).describe(description)

export const rateFields = {
  ...named,
  translations: translationsOf(namedTexts),
  dailyRate: amount(
    'dailyMinor',
    tierDecimal.describe('Price of a day as text, such as "499.00".'),
  ),
  hourlyRate: amount('hourlyMinor', tier('Price of a started hour.')),
  weeklyRate: amount('weeklyMinor', tier('Price of 7 days.')),
  monthlyRate: amount('monthlyMinor', tier('Price of 30 days.')),
  minDays: plain(
    'minDays',
    wholeNumber(1, rangeDaysMax)
      .nullable()
      .default(null)
      .describe('Shortest rental that may begin at this rate, in charged days. Null: any length.'),
  ),
  validFrom: plain('validFrom', date('First date, such as 2027-06-01.')),
  validTo: plain('validTo', date('Last date, included.')),
} satisfies FleetFields

export const extraFields = {
  ...named,
  translations: translationsOf(namedTexts),
  pricing: plain(
    'pricing',
    z
      .enum(extraPricings, 'must be "per_day" or "per_rental"')
      .describe('Whether the price is for a day or for the whole rental.'),
  ),
  price: amount('priceMinor', decimal.describe('Price of one unit as text, such as "50.00".')),
  maxPrice: amount(
    'maxPriceMinor',
    decimal
      .nullable()
      .default(null)
      .describe('Highest price of one unit, however many days. For per_day only.'),
  ),
} satisfies FleetFields
