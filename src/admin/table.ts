import stringWidth from 'string-width'

const gap = '  '
const narrowestColumn = 8
const graphemes = new Intl.Segmenter()

/** What could move the cursor, colour the terminal or turn the direction of its neighbours. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
/** What Unicode keeps for scripts that run from right to left, and their mark. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

export interface TableLayout<Title extends string> {
  /** Never shortened: an id is there to be copied. */
  readonly whole: readonly Title[]
  readonly right?: readonly Title[]
}

/**
 * Rows by their titles as aligned columns, shortened to `width` where there is one; where not even
 * that makes them fit, each row becomes a record of one line a field (170).
 */
export function table<Title extends string>(
  rows: readonly Readonly<Record<Title, string>>[],
  { whole, right = [] }: TableLayout<Title>,
  width = Number.POSITIVE_INFINITY,
): string {
  const titles = Object.keys(rows[0] ?? {}) as Title[]
  const lines = rows.map((row) => titles.map((title) => row[title].replace(unsafe, '\ufffd')))
  const widths = fitWidths(
    [titles, ...lines],
    titles.map((title) => whole.includes(title)),
    width,
  )
  if (widths === undefined) return lines.map((cells) => record(titles, cells)).join('\n')
  return [titles, ...lines]
    .map((cells) => {
      const shown = titles.map((title, index) =>
        fill(cells[index] ?? '', widths[index] ?? 0, right.includes(title)),
      )
      return `${shown.join(gap).trimEnd()}\n`
    })
    .join('')
}

function record(titles: readonly string[], cells: readonly string[]): string {
  const titleWidth = Math.max(...titles.map((title) => stringWidth(title)))
  return titles
    .flatMap((title, index) => {
      const cell = cells[index] ?? ''
      return cell === '' ? [] : [`${fill(title, titleWidth)}${gap}${isolate(cell)}`.trim(), '\n']
    })
    .join('')
}

/** The width of each column, the widest cut to a common one; undefined when that is too narrow. */
function fitWidths(
  lines: readonly (readonly string[])[],
  whole: readonly boolean[],
  width: number,
): number[] | undefined {
  const natural = whole.map((_, index) =>
    Math.max(...lines.map((cells) => stringWidth(cells[index] ?? ''))),
  )
  for (let widest = Math.max(...natural, narrowestColumn); widest >= narrowestColumn; widest -= 1) {
    const cut = natural.map((own, index) => (whole[index] ? own : Math.min(own, widest)))
    const total = cut.reduce((sum, own) => sum + own, gap.length * (cut.length - 1))
    if (total <= width) return cut
  }
  return undefined
}

/** A cell in exactly `width` columns of the terminal. */
function fill(cell: string, width: number, right = false): string {
  const shown = shorten(cell, width)
  const padding = ' '.repeat(width - stringWidth(shown))
  return right ? padding + isolate(shown) : isolate(shown) + padding
}

function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(`${kept}${segment}…`) > width) break
    kept += segment
  }
  return `${kept}…`
}

/** Keeps a name that runs from right to left from mirroring the dates beside it. */
function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text
}
