/** Longer names are cut, because callers choose their length. */
const lengthMax = 60

/**
 * Returns the name that a mistyped one stands for, or undefined if none is similar. A name that
 * contains the other is similar (`phoneNumber` and `phone`), as is one with few different letters.
 */
function nearestName(typed: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(typed)
  const distances = names.map((name) =>
    name ? distanceBetween(letters, lettersOf(name)) : Infinity,
  )
  const least = Math.min(...distances)
  return least === Infinity ? undefined : names[distances.indexOf(least)]
}

/** Returns "; did you mean …?" as the end of a message, or nothing if no name is similar. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const nearest = nearestName(typed, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

const lettersOf = (name: string) =>
  name
    .slice(0, lengthMax)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Returns how different two names are; Infinity if they are not similar. */
function distanceBetween(typed: string, name: string): number {
  if (typed === name) return 0
  const [short, long] = typed.length < name.length ? [typed, name] : [name, typed]
  if (short.length > 1 && long.includes(short)) return 1 + (long.length - short.length) / lengthMax
  const distance = editDistance(typed, name)
  return distance <= Math.ceil(typed.length / 3) ? distance : Infinity
}

/** Returns the Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from(other, (_, index) => index + 1)
  for (const [line, letter] of Array.from(one).entries()) {
    let [left, diagonal] = [line + 1, line]
    row = row.map((above, column) => {
      const replaced = diagonal + (other[column] === letter ? 0 : 1)
      diagonal = above
      left = Math.min(replaced, above + 1, left + 1)
      return left
    })
  }
  return row.at(-1) ?? one.length
}
