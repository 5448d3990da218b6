import { z } from 'zod'

/** Any UUID, whatever its version; written in lower case from here on. */
export const uuid = z
  .string()
  .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' })

interface TextRules {
  /** 1: at least one visible character. */
  readonly min?: 0 | 1
  /** Its greatest length, in code points. */
  readonly max: number
  /** Line breaks and tabs may stay, and marks that override the direction: quotations need them. */
  readonly multiline?: boolean
}

/** Never controls, unpaired surrogates, U+2028, U+2029; in one line not U+202A and its like. */
const oneLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u
const manyLines = /^(?:[\t\n\r]|[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}])*$/u

/** Their ASCII part, for the document: not every language reads `\p{…}` or `\u…` in a pattern. */
const oneLineAscii = '^[^\\x00-\\x1f\\x7f]*$'
const manyLinesAscii = '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$'

/** Letters, digits, punctuation and symbols, but for those that are drawn as nothing. */
const visible =
  /(?!\p{Default_Ignorable_Code_Point}|[\u2800\u{13441}\u{13442}\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Text that a person typed: trimmed, counted in code points, storable as it is (decision 4). */
export function plainText({ min = 0, max, multiline = false }: TextRules) {
  return z
    .string()
    .trim()
    .regex(
      multiline ? manyLines : oneLine,
      multiline
        ? 'must not contain control characters other than line breaks and tabs'
        : 'must be one line without control characters or marks that override the direction',
    )
    .refine((value) => min === 0 || visible.test(value), 'must have at least one visible character')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .meta({
      pattern: multiline ? manyLinesAscii : oneLineAscii,
      maxLength: max,
      ...(min > 0 && { minLength: min }),
    })
}

/** A name, or another short line that somebody typed. */
export const shortText = plainText({ min: 1, max: 100 })

/** Some lines of text: a description, a reason. */
export const paragraph = plainText({ min: 1, max: 2_000, multiline: true })

/** A field that may be left out: `null` and blank text are the same as that (decision 4). */
export function optional<T extends z.ZodType>(field: T) {
  return field.nullish().transform((value) => value || undefined)
}

/** A whole number within bounds, which are said whatever else was sent. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .number({ error: ({ input }) => (input === undefined ? undefined : message) })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max })
}

export const splitList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
