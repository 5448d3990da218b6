import type { z } from 'zod'

/** What an operator asked for and can't have; the message says why, in words for the terminal. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** What can't be right whatever the database holds: a misspelt id, scope, limit or origin. */
export class UsageError extends OperatorError {}

/** For an id of which there is no `what`, such as a booking. */
export function unknownId(what: string, id: string): OperatorError {
  const list = what === 'API key' ? 'keys list' : 'bookings list --status all'
  return new OperatorError(
    `There is no ${what} with the ID ${id}. List them with \`rental ${list}\`.`,
  )
}

/**
 * The only one that was found.
 * @throws OperatorError `none`, or `several` and a line for each
 */
export function expectOne<T>(
  found: readonly T[],
  none: OperatorError,
  several: string,
  lineOf: (one: T) => string,
): T {
  const [only, ...more] = found
  if (only === undefined) throw none
  if (more.length === 0) return only
  throw new OperatorError([several, ...found.map(lineOf)].join('\n  '))
}

/**
 * A text as `schema` reads it.
 * @throws WrongUsage naming what was typed
 */
export function checkText<T>(what: string, schema: z.ZodType<T>, typed: string): T {
  const { success, data, error } = schema.safeParse(typed)
  if (success) return data
  throw new UsageError(`The ${what} ${error.issues[0]?.message}.`)
}
