import { z } from 'zod'

// The types of the documents that commands print with --json. Objects are strict in tests; the
// published schema accepts fields that a later release adds.

export const id = z.guid()
export const instant = z.iso.datetime()
export const date = z.iso.date()
export const text = z.string()
export const textOrNull = z.string().nullable()
export const count = z.int().min(0)
export const decimal = z.string().regex(/^\d+(\.\d+)?$/)

export const listOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.array(z.strictObject(fields))

/** Returns the schema of one document, or of a list for a command with several IDs. */
export const oneOrList = (one: z.ZodType, each = one) => z.union([one, z.array(each)])

export const referenced = z.strictObject({ ref: text, id })
