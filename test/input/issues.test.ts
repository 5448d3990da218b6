import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '../../src/input/issues.ts'

const word = z.string()

/** An issue of each kind that the schemas of this project can have. */
const issues: readonly [string, z.ZodType, unknown][] = [
  ['invalid_type', z.date(), 'x'],
  ['too_big', z.array(word).max(1), ['a', 'b']],
  ['too_small', word.min(2), 'a'],
  ['invalid_format', z.email(), 'a'],
  ['unrecognized_keys', z.strictObject({}), { a: 1 }],
  ['invalid_union', z.union([z.number(), z.boolean()]), 'a'],
  ['invalid_value', z.enum(['a', 'b']), 'c'],
  ['custom', word.refine(() => false), 'a'],
]

const read = (schema: z.ZodType, input: unknown, params?: z.core.ParseContext<z.core.$ZodIssue>) =>
  schema.safeParse(input, params).error?.issues ?? []

describe('describeIssue', () => {
  it.each(issues)('rewords the issue %s of %j', (code, schema, input) => {
    const [theirs, ours] = [read(schema, input), read(schema, input, { error: describeIssue })]
    expect(theirs.map((issue) => issue.code)).toEqual(ours.map((issue) => issue.code))
    for (const [index, issue] of ours.entries()) {
      expect(issue.message).toMatch(/^(must |is |has )/)
      expect(issue.message).not.toBe(theirs[index]?.message)
    }
    expect(ours[0]?.code).toBe(code)
  })

  it.each<[string, z.ZodType, unknown]>([
    ['is required', word, undefined],
    ['must be a string', word, null],
    ['must be a single value', word, ['a', 'b']],
    ['must be an object', z.object({}), ['a', 'b']],
    ['must be a whole number', z.int(), 1.5],
    ['must be at most 7', z.int().max(7), 8],
    ['must have at most 1 entries', z.array(word).max(1), ['a', 'b']],
    ['must have at least 2 characters', word.min(2), 'a'],
    ['must be a or b', z.enum(['a', 'b']), 'c'],
  ])('describes an issue as "%s"', (words, schema, input) => {
    expect(read(schema, input, { error: describeIssue })[0]?.message).toBe(words)
  })
})
