/** How many of what, such as `1 day`. */
export const pluralize = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

/** `sayCount` for each of several things, without those of which there are none. */
export function pluralizeAll(numbers: Readonly<Record<string, number>>): string[] {
  const some = Object.entries(numbers).filter(([, number]) => number > 0)
  return some.map(([what, number]) => pluralize(number, what))
}
