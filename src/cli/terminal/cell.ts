import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** Replaces control characters, which could move the cursor, set colours or reorder text. */
export function sanitizeLine(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Returns a list, or a text of several lines, in one line. */
export const inOneLine = (value: unknown) =>
  [value].flat().map(String).join(', ').replaceAll('\n', ', ')

/** Replaces all control characters but line breaks. Use it for all output to a terminal. */
export function sanitizeForTerminal(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n')
}

/** Returns JSON with control characters escaped, so that it is safe to print in a terminal. */
export function sanitizeJsonForTerminal(json: unknown, indent = 2): string {
  const text = JSON.stringify(json, null, indent)
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped)
}

/** Pads or shortens a text to exactly `width` terminal columns. */
export function fitToWidth(text: string, width: number, right = false): string {
  const fitted = widthOf(text) <= width ? text : `${begin(text, width - 1)}…`
  const padding = ' '.repeat(width - widthOf(fitted))
  return right ? padding + fitted : fitted + padding
}

/** Returns the longest beginning of a text that fits into `width` columns. */
function begin(text: string, width: number): string {
  let part = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(part + segment) > width) break
    part += segment
  }
  return part
}
