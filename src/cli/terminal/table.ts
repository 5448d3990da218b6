import { fill, visible, widthOf } from './cell.ts'

const widestGap = 2
const narrowestColumn = 8

interface TableLayout<Title extends string> {
  /** Never shortened: an id is there to be copied. */
  readonly whole: readonly Title[]
  readonly right?: readonly Title[]
  /** Columns of the terminal between two of the table; 2 unless there are many. */
  readonly gap?: number
}

/** Rows by their titles as aligned columns, shortened to `width` where that is possible; '' for none. */
export function table<Title extends string>(
  rows: readonly Readonly<Record<Title, string>>[],
  { whole, right = [], gap = widestGap }: TableLayout<Title>,
  width = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return ''
  const titles = Object.keys(rows[0] ?? {}) as Title[]
  const lines = [titles, ...rows.map((row) => titles.map((title) => visible(row[title])))]
  const natural = titles.map((_, index) =>
    lines.reduce((widest, cells) => Math.max(widest, widthOf(cells[index] ?? '')), 0),
  )
  const kept = whole.map((title) => titles.indexOf(title))
  const widths = fitWidths(natural, kept, width, gap)
  const line = (cells: readonly string[]) =>
    titles.map((title, index) =>
      fill(cells[index] ?? '', widths[index] ?? 0, right.includes(title)),
    )
  return lines.map((cells) => `${line(cells).join(' '.repeat(gap)).trimEnd()}\n`).join('')
}

/** The widest columns that fit, cut to a common width; the narrowest where not even those fit. */
function fitWidths(natural: number[], whole: number[], width: number, gap: number) {
  for (let widest = Math.max(...natural, narrowestColumn); ; widest -= 1) {
    const cut = natural.map((own, index) => (whole.includes(index) ? own : Math.min(own, widest)))
    const total = cut.reduce((sum, own) => sum + own, gap * (cut.length - 1))
    if (total <= width || widest === narrowestColumn) return cut
  }
}

/** A line for each field that has something in it, their names aligned. */
export function record(fields: Readonly<Record<string, string>>): string {
  const titleWidth = Math.max(...Object.keys(fields).map((title) => widthOf(title)))
  const filled = Object.entries(fields).filter(([, text]) => text !== '')
  return filled
    .map(([title, text]) => `${`${fill(title, titleWidth + widestGap)}${visible(text)}`.trim()}\n`)
    .join('')
}
