import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

const plain =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2026\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/
const wide = /[\u3041-\ud7a3]/g

/**
 * The columns that a text takes. Latin letters and the like have one, kana, Han and Hangul two: to
 * look closer at ten thousand names takes half a second.
 */
export function widthOf(text: string): number {
  return plain.test(text) ? text.length + (text.match(wide)?.length ?? 0) : stringWidth(text)
}

/** What could move the cursor, colour the terminal or turn the direction of its neighbours. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
/** What Unicode keeps for scripts that run from right to left, and their mark. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A text of which a terminal shows every character, each in its place. */
export function visible(text: string): string {
  return text.replace(unsafe, '\ufffd')
}

/** A text from outside amid a sentence of ours. */
export const shown = (text: string) => isolate(visible(text))

/**
 * What a command says as a whole: lines, of which none controls the terminal, whoever wrote it. One
 * that is too long is broken between words and goes on under its text, beside what labels it.
 */
export function harmless(text: string, width = Number.POSITIVE_INFINITY): string {
  const lines = text.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066\u2067]/gu, '\ufffd').split('\n')
  // No character takes more than two columns: most lines fit without being measured.
  const fits = (line: string) => line.length * 2 <= width || widthOf(line) <= width
  return lines.map((line) => (fits(line) ? line : hang(line, width))).join('\n')
}

function hang(line: string, width: number): string {
  const [labelled = '', indent = ''] = /^([ >]*)(?:\S.*? {2,})?/.exec(line) ?? []
  const label = widthOf(labelled) * 2 <= width ? labelled : indent
  const room = width - widthOf(label)
  // What stands alone, such as a secret, is there to be copied.
  if (!line.includes(' ') || room < width / 2) return line
  let isOpen = false
  const lines = wrap(line.slice(label.length), room).map((part) => {
    // A terminal knows no isolation that goes on in the next line.
    const text = isOpen ? `\u2068${part}` : part
    isOpen = text.lastIndexOf('\u2068') > text.lastIndexOf('\u2069')
    return isOpen ? `${text}\u2069` : text
  })
  return label + lines.join(`\n${' '.repeat(width - room)}`)
}

/** JSON that can be shown in a terminal: what could control that is escaped. */
export function harmlessJson(json: unknown, indent = 2): string {
  const text = JSON.stringify(json, null, indent)
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped)
}

/** A visible text in exactly `width` columns of the terminal, shortened where it is longer. */
export function fill(text: string, width: number, right = false): string {
  const fitted =
    widthOf(text) <= width ? text : `${pieces(text.slice(0, 20 * width), width - 1)[0]}…`
  const padding = ' '.repeat(width - widthOf(fitted))
  return right ? padding + isolate(fitted) : isolate(fitted) + padding
}

/** Keeps a name that runs from right to left from mirroring the dates beside it (decision 281). */
function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

/** A line in lines of at most `width` columns, broken between words where that is possible. */
export function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ').flatMap((each) => pieces(each, width))) {
    const longer = current === '' ? word : `${current} ${word}`
    if (widthOf(longer) <= width) current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

/** `wrap`, but broken only at two spaces: a key stays beside what it does. */
export const wrapPairs = (keys: string, width = Number.POSITIVE_INFINITY) =>
  wrap(keys.replace(/(?<! ) (?! )/g, '\u00a0'), width).map((line) => line.replaceAll('\u00a0', ' '))

/** A word, cut where it is longer than a line. */
function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const cut: string[] = ['']
  for (const { segment } of graphemes.segment(word)) {
    const longer = `${cut.at(-1)}${segment}`
    if (widthOf(longer) <= width) cut[cut.length - 1] = longer
    else cut.push(segment)
  }
  return cut
}
