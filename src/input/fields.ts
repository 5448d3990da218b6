import { z } from 'zod'
import { withoutInvisible } from '../domain/foldText.ts'

/** A UUID of any version, converted to lower case. */
export const uuid = z
  .string()
  .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' })

interface TextRules {
  /** 1 requires at least one visible character. */
  readonly min?: 0 | 1
  /** The maximum length, in code points. */
  readonly max: number
  /** Allows line breaks, tabs, and the direction marks that quotations need. */
  readonly multiline?: boolean
}

/**
 * Composes characters (NFC) and removes invisible ones. Spaces of any kind and tabs become one space,
 * or none at the ends.
 */
export const normalizeLine = (text: string) =>
  withoutInvisible(text)
    .normalize('NFC')
    .trim()
    .replace(/[\p{Zs}\t]+/gu, ' ')

/** Composes characters (NFC), ends lines with `\n`, and removes white space at both ends. */
const normalizeLines = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .trim()

/** Control characters, unpaired surrogates and line separators. */
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u
const controlButLines = /(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Returns the code of the first character that a pattern excludes, such as `U+0007`. */
function excludedCode(text: unknown, excluded: RegExp): string {
  const code = excluded.exec(String(text))?.[0].codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * The same for the OpenAPI document. Generated clients check only `pattern`, which must be ASCII:
 * PHP's matches bytes, and `\p{…}` and `\u…` are not supported in all languages.
 */
const oneLineSchema = {
  pattern: '^\\s*[^\\x00-\\x08\\x0a-\\x1f\\x7f]*\\s*$',
  not: { type: 'string', pattern: '[\\u0080-\\u009f\\u2028\\u2029]' },
}
/** The same for a name, which has something that can be seen. */
const visiblePattern = '^\\s*[^\\x00-\\x20\\x7f][^\\x00-\\x08\\x0a-\\x1f\\x7f]*\\s*$'
const manyLinesSchema = {
  pattern: '^[^\\x00-\\x08\\x0e-\\x1f\\x7f]*$',
  not: { type: 'string', pattern: '[\\u0080-\\u0084\\u0086-\\u009f]' },
}

/** Letters, digits, punctuation and symbols, without those that are displayed as nothing. */
const visible =
  /(?!\p{Default_Ignorable_Code_Point}|[\u2800\u{13441}\u{13442}\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns a schema for typed text, which is normalized and whose length is counted in code points. */
export function plainText({ min = 0, max, multiline = false }: TextRules) {
  const excluded = multiline ? controlButLines : control
  const rule = multiline
    ? 'must have no control characters other than line breaks and tabs'
    : 'must be one line without control characters'
  return z
    .string()
    .overwrite(multiline ? normalizeLines : normalizeLine)
    .refine((value) => !excluded.test(value), {
      error: ({ input }) => `${rule}, but has ${excludedCode(input, excluded)}`,
    })
    .refine((value) => min === 0 || visible.test(value), 'must have at least one visible character')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .meta({
      ...(multiline ? manyLinesSchema : oneLineSchema),
      maxLength: max,
      ...(min > 0 && { minLength: min, ...(!multiline && { pattern: visiblePattern }) }),
    })
}

/** A name or another short line of text. */
export const shortText = plainText({ min: 1, max: 100 })

/** Several lines of text, such as a description or a reason. */
export const paragraph = plainText({ min: 1, max: 2_000, multiline: true })

/** Makes a field optional. `null` and blank text count as missing. */
export function optional<T extends z.ZodType>(field: T) {
  return field
    .nullish()
    .transform((value) => value || undefined)
    .optional()
}

/** Returns a schema for a whole number. Its message names the bounds for every wrong value. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .number({ error: ({ input }) => (input === undefined ? undefined : message) })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** Splits a comma-separated list, and drops spaces and empty entries. */
export const splitList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
