/** The shortest beginning of an id that names something: it is one of 16 million. */
export const idBeginningMin = 6

/** The smallest and the greatest id that begin as it was typed. */
export interface IdRange {
  readonly first: string
  readonly last: string
}

const shape = '00000000-0000-0000-0000-000000000000'

/**
 * The ids that begin with what was typed, which may be a whole one; undefined for what no id begins
 * with and for fewer than six characters (decision 350).
 */
export function idRange(typed: string): IdRange | undefined {
  const beginning = typed.trim().toLowerCase()
  if (beginning.length < idBeginningMin || beginning.length > shape.length) return undefined
  const first = beginning + shape.slice(beginning.length)
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(first)) return undefined
  return { first, last: beginning + shape.slice(beginning.length).replaceAll('0', 'f') }
}

/** The first eight characters: enough to show in a line with other things, and to type. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
