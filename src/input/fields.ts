import { z } from 'zod'

/** Any UUID, whatever its version; written in lower case from here on. */
export const uuid = z
  .string()
  .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' })

interface TextRules {
  /** Least and most code points. */
  readonly min?: 0 | 1
  readonly max: number
  /** Line breaks and tabs may stay. */
  readonly multiline?: boolean
}

const controlCharacter = /\p{Cc}/u
const controlCharacterButBreaks = /(?![\n\r\t])\p{Cc}/u

/** Text that a person typed: trimmed, counted in code points, storable as it is (decision 4). */
export function plainText({ min = 0, max, multiline = false }: TextRules) {
  const forbidden = multiline ? controlCharacterButBreaks : controlCharacter
  return z
    .string()
    .trim()
    .refine((value) => !forbidden.test(value), 'must not contain control characters')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .refine((value) => value.length >= min, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })
}

const expectations: Readonly<Record<string, string>> = {
  string: 'must be a string',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  array: 'must be a list',
  object: 'must be an object',
}

/** zod speaks of types and `undefined`; whoever wrote the input left something out or mixed it up. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined
  return issue.input === undefined ? 'is required' : expectations[issue.expected]
}
