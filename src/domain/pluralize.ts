/** Formats a number with its noun, such as `1 day` or `2 days`. */
export const pluralize = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

/** Formats each number with its noun, and leaves out numbers of 0. */
export function pluralizeAll(numbers: Readonly<Record<string, number>>): string[] {
  const nonZero = Object.entries(numbers).filter(([, number]) => number > 0)
  return nonZero.map(([noun, number]) => pluralize(number, noun))
}
