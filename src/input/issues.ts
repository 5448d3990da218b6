import type { z } from 'zod'
import { didYouMean } from '../domain/nearestName.ts'
import { nameLengthMax } from './repeatedFields.ts'

export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** Another field that the message is about. */
  readonly first?: readonly PropertyKey[] | undefined
}

/** The unknown fields listed for one object. Searching the nearest name of each takes time. */
const unknownFieldsMax = 20

/** Returns all problems of an input that the schema rejects, in plain words. */
export function problemsOf(schema: z.ZodType, input: unknown): Problem[] {
  const knownFields = new Map<readonly string[], readonly string[]>()
  const describe = (issue: z.core.$ZodRawIssue) => {
    // Only this callback receives the schema of the object that has the unknown fields.
    if (issue.code === 'unrecognized_keys') knownFields.set(issue.keys, fieldsOf(issue.inst))
    return describeIssue(issue)
  }
  const { error } = schema.safeParse(input, { error: describe })
  return (error?.issues ?? []).flatMap((issue) => {
    const { path, message } = issue
    if (issue.code === 'custom') return [{ path, message, first: issue.params?.['first'] }]
    if (issue.code !== 'unrecognized_keys') return [{ path, message }]
    const known = knownFields.get(issue.keys) ?? []
    return issue.keys.slice(0, unknownFieldsMax).map((key) => {
      return {
        path: [...path, key.slice(0, nameLengthMax)],
        message: `is not a field${didYouMean(key, known)}`,
      }
    })
  })
}

const fieldsOf = (schema: unknown) => Object.keys((schema as z.ZodObject).shape)

const expectations: Readonly<Record<string, string>> = {
  string: 'must be a string',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  array: 'must be a list',
  object: 'must be an object',
}
const units: Readonly<Record<string, string>> = { array: ' entries', string: ' characters' }

/** Returns the message for an issue whose schema has no message of its own, in plain words. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      // A query parameter that was sent twice arrives as an array.
      if (issue.expected === 'string' && Array.isArray(issue.input)) return 'must be a single value'
      return expectations[issue.expected] ?? 'has the wrong type'
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum)
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum)
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    default:
      return 'is not valid'
  }
}

function bound(origin: string, which: string, limit: number | bigint): string {
  const unit = units[origin]
  return unit === undefined ? `must be ${which} ${limit}` : `must have ${which} ${limit}${unit}`
}
