import type { z } from 'zod'

/** A request of an operator that cannot be carried out. The message is for the terminal. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** An invalid input, such as a misspelt id, scope, limit or origin. */
export class UsageError extends OperatorError {}

/** Returns the error for an id that does not exist. `what` is `booking` or `API key`, for example. */
export function unknownId(what: string, id: string): OperatorError {
  const list = what === 'API key' ? 'keys list' : 'bookings list --status all'
  return new OperatorError(
    `There is no ${what} with the ID ${id}. List them with \`rental ${list}\`.`,
  )
}

/**
 * Returns the only element.
 * @throws OperatorError `none`, or an error with `several` and a line for each element
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
 * Parses a typed text with `schema`.
 * @throws UsageError that names the text by `what`
 */
export function checkText<T>(what: string, schema: z.ZodType<T>, typed: string): T {
  const { success, data, error } = schema.safeParse(typed)
  if (success) return data
  throw new UsageError(`The ${what} ${error.issues[0]?.message}.`)
}
