import stringWidth from 'string-width'
import { isolate, visible } from './cell.ts'

const graphemes = new Intl.Segmenter()

/**
 * A text of any length in lines of at most `width` columns, broken between words where that is
 * possible. Line breaks stay; of what else could move the cursor nothing does.
 */
export function wrap(text: string, width = Number.POSITIVE_INFINITY): string[] {
  return text
    .replaceAll('\t', ' ')
    .split(/\r\n|[\n\r]/)
    .flatMap((line) => wrapLine(visible(line), width))
    .map(isolate)
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ').flatMap((each) => pieces(each, width))) {
    const longer = current === '' ? word : `${current} ${word}`
    if (stringWidth(longer) <= width) current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

/** A word, cut where it is longer than a line. */
function pieces(word: string, width: number): string[] {
  if (stringWidth(word) <= width) return [word]
  const cut: string[] = ['']
  for (const { segment } of graphemes.segment(word)) {
    const longer = `${cut.at(-1)}${segment}`
    if (stringWidth(longer) <= width) cut[cut.length - 1] = longer
    else cut.push(segment)
  }
  return cut
}
