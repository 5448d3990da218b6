/** The fewest characters that identify a row. Six hexadecimal digits have 16 million values. */
export const idPrefixMin = 6

const shape = '00000000-0000-0000-0000-000000000000'

export type IdRange = NonNullable<ReturnType<typeof idRange>>

/**
 * Returns the smallest and the greatest UUID that begin with the typed text. Returns undefined if
 * no UUID begins with it or if it is shorter than `idPrefixMin`.
 */
export function idRange(typed: string) {
  const beginning = typed.trim().toLowerCase()
  const rest = shape.slice(beginning.length)
  const [first, last] = [beginning + rest, beginning + rest.replaceAll('0', 'f')]
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(first)
  return isId && beginning.length >= idPrefixMin ? { first, last } : undefined
}

export function shortId(id: string): string {
  return id.slice(0, 8)
}
