/** How many of what, such as `1 day`. */
export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** The same of several things, but for those of which there are none. */
export function counts(numbers: Readonly<Record<string, number>>): string[] {
  const some = Object.entries(numbers).filter(([, number]) => number > 0)
  return some.map(([what, number]) => count(number, what))
}
