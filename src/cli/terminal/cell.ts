import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** The columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** A text without what could move the cursor, colour the terminal or turn its neighbours around. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Everything that a command prints: lines, of which none controls the terminal. */
export function sanitizeForTerminal(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** JSON that can be shown in a terminal: what could control that is escaped. */
export function sanitizeJsonForTerminal(json: unknown, indent = 2): string {
  const text = JSON.stringify(json, null, indent)
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped)
}

/** A visible text in exactly `width` columns of the terminal, shortened where it is longer. */
export function fill(text: string, width: number, right = false): string {
  const fitted = widthOf(text) <= width ? text : `${begin(text, width - 1)}…`
  const padding = ' '.repeat(width - widthOf(fitted))
  return right ? padding + fitted : fitted + padding
}

/** As much of the text as `width` columns hold. */
function begin(text: string, width: number): string {
  let part = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(part + segment) > width) break
    part += segment
  }
  return part
}
