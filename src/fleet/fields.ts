import { z } from 'zod'
import { plainText } from '../input/fields.ts'

/** A line of text, its length counted in code points. */
export const line = plainText({ min: 1, max: 100 })

/** Text that may break its lines. */
export const paragraph = plainText({ min: 1, max: 2_000, multiline: true })

/** What a later import matches on. Not trimmed: ` a` and `a` would silently be one. */
export const ref = z
  .string()
  .regex(/^\S(.*\S)?$/u, 'must not be empty, nor begin or end with white space')
  .pipe(line)

export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits joined by hyphens')
  .max(63, 'must have at most 63 characters')

export const imageUrl = z
  .string()
  .max(2_000, 'must have at most 2000 characters')
  .refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
    error: 'must be an http or https address',
  })

const unlessMissing = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is required' : message,
})

/** How many decimals the currency allows is checked where the currency is known. */
const decimalString = /^\d{1,20}(\.\d{1,20})?$/
const moneyMessage = 'must be a decimal string of 0 or more, such as "499.00"'

/** An amount that may be nothing: an extra can be free. */
export const amount = z.string(unlessMissing(moneyMessage)).regex(decimalString, moneyMessage)

/** A tier of 0 would make every longer rental free (decision 48). */
export const tierAmount = amount.refine(
  (value) => !decimalString.test(value) || /[1-9]/.test(value),
  'must be more than 0; leave the tier out if there is none',
)

const percentMessage = 'must be a string from "0" to "100" with at most 4 decimals, such as "25"'

export const percent = z
  .string(unlessMissing(percentMessage))
  .regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, percentMessage)

export const calendarDate = z.iso
  .date('must be a date, such as 2027-06-01')
  .regex(/^(20\d\d|2100)-/, 'must lie between 2000 and 2100')
