import { z } from 'zod'
import { canonicalLanguage, type Translations } from '../domain/languages.ts'
import { isCurrency } from '../domain/money.ts'

export const imageUrl = z
  .string()
  .max(2_000, 'must have at most 2000 characters')
  .refine((value) => /^https?:\/\/[^\s\p{C}]+$/iu.test(value) && URL.canParse(value), {
    error: 'must be an http or https address',
  })

/** Returns an error option with the message for invalid values, but not for missing ones. */
const unlessMissing = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is required' : message,
})

/** The number of decimals depends on the currency, and is checked in crossFieldErrors.ts. */
const amountForm = /^\d{1,20}(\.\d{1,20})?$/
const amountMessage = 'must be a decimal of 0 or more, such as "499.00"'

/** An amount that may be 0, because extras can be free. */
export const decimal = z.string(unlessMissing(amountMessage)).regex(amountForm, amountMessage)

/** An amount above 0. A tier that costs nothing would make every longer rental free. */
export const tierDecimal = decimal.refine(
  (value) => !amountForm.test(value) || /[1-9]/.test(value),
  'must be more than 0; leave the tier out if there is none',
)

export const validityDate = z.iso
  .date('must be a date, such as 2027-06-01')
  .regex(/^(20\d\d|2100)-/, 'must lie between 2000 and 2100')

export const currency = z
  .string()
  .refine(isCurrency, 'must be a current ISO 4217 code in capitals, such as EUR')

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
    const given = Object.entries(texts).filter(([, text]) => text?.length)
    return [canonicalLanguage(tag) ?? tag, Object.fromEntries(given)] as const
  })
  return Object.fromEntries(languages.filter(([, texts]) => Object.keys(texts).length > 0))
}

export const translationsOf = (texts: z.ZodType<Translations[string]>) =>
  z
    .record(z.string(), texts)
    .superRefine(reportTags)
    .overwrite(canonicalTranslations)
    .default({})
    .describe('The texts in other languages, by BCP 47 tag, such as de or pt-BR.')

const percentMessage = 'must be from "0" to "100", with at most 4 decimals, such as "25"'

export const percent = z
  .string(unlessMissing(percentMessage))
  .regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, percentMessage)

/** Lets a rule of several fields also run when others are invalid. */
export const isObject = ({ value }: { readonly value: unknown }) => Object(value) === value
