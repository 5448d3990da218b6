/** Longer names are cut, because callers choose their length. */
export const nameLengthMax = 100

/** Matches line breaks, braces, the ends of strings, and escapes within strings. */
const marks = /[\n{}]|"(\s*:)?|\\./g

/**
 * Yields the field names that stand twice in one object of a valid JSON text. JSON.parse keeps only
 * the last one; another program may read the first.
 */
export function* repeatedFields(json: string): Generator<{ name: string; line: number }> {
  const open: Set<string>[] = []
  let begin: number | undefined
  let line = 1
  for (const { 0: mark, 1: colon, index } of json.matchAll(marks)) {
    if (begin === undefined) {
      if (mark === '\n') line += 1
      else if (mark === '{') open.push(new Set())
      else if (mark === '}') open.pop()
      else begin = index
    } else if (mark.startsWith('"')) {
      if (colon !== undefined) {
        const name: string = JSON.parse(json.slice(begin, index + 1))
        if (open.at(-1)?.has(name)) yield { name: name.slice(0, nameLengthMax), line }
        open.at(-1)?.add(name)
      }
      begin = undefined
    }
  }
}
