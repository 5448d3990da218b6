/** How many of what, such as `1 day`. */
export const sayCount = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

/** The same of several things; those of which there are none are left out. */
export function sayCounts(numbers: Readonly<Record<string, number>>): string[] {
  const some = Object.entries(numbers).filter(([, number]) => number > 0)
  return some.map(([what, number]) => sayCount(number, what))
}
