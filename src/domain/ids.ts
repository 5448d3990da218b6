/** The shortest beginning of an id that names something: it is one of 16 million. */
export const idBeginningMin = 6

const shape = '00000000-0000-0000-0000-000000000000'

export type IdRange = NonNullable<ReturnType<typeof idRange>>

/**
 * The smallest and the greatest id that begin with what was typed, which may be a whole one; undefined
 * for what no id begins with and for fewer than six characters (decision 350).
 */
export function idRange(typed: string) {
  const beginning = typed.trim().toLowerCase()
  const rest = shape.slice(beginning.length)
  const [first, last] = [beginning + rest, beginning + rest.replaceAll('0', 'f')]
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(first)
  return isId && beginning.length >= idBeginningMin ? { first, last } : undefined
}

/** The first eight characters: enough to show in a line with other things, and to type. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
