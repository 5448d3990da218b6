import { fitToWidth, sanitizeLine, widthOf } from './cell.ts'

const widestGap = 2
const narrowestColumn = 8

interface TableLayout<Title extends string> {
  /** Columns that are never shortened, such as IDs. */
  readonly fixed: readonly Title[]
  /** Columns that are aligned to the right. */
  readonly right?: readonly Title[]
  /** The blanks between two columns; 2 by default. */
  readonly gap?: number
}

/** Formats rows as aligned columns, shortened to `width` if possible. Returns '' for no rows. */
export function table<Title extends string>(
  rows: readonly Readonly<Record<Title, string>>[],
  { fixed, right = [], gap = widestGap }: TableLayout<Title>,
  width = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return ''
  const titles = Object.keys(rows[0] ?? {}) as Title[]
  const lines = [titles, ...rows.map((row) => titles.map((title) => sanitizeLine(row[title])))]
  const natural = titles.map((_, index) =>
    lines.reduce((widest, cells) => Math.max(widest, widthOf(cells[index] ?? '')), 0),
  )
  const kept = fixed.map((title) => titles.indexOf(title))
  const widths = fitWidths(natural, kept, width, gap)
  const line = (cells: readonly string[]) =>
    titles.map((title, index) =>
      fitToWidth(cells[index] ?? '', widths[index] ?? 0, right.includes(title)),
    )
  return lines.map((cells) => `${line(cells).join(' '.repeat(gap)).trimEnd()}\n`).join('')
}

/** Returns column widths that fit into `width`, cut to a common maximum of 8 or more. */
function fitWidths(natural: number[], fixed: number[], width: number, gap: number) {
  for (let widest = Math.max(...natural, narrowestColumn); ; widest -= 1) {
    const cut = natural.map((own, index) => (fixed.includes(index) ? own : Math.min(own, widest)))
    const total = cut.reduce((sum, own) => sum + own, gap * (cut.length - 1))
    if (total <= width || widest === narrowestColumn) return cut
  }
}

/** Formats one line for each field that is not empty, with aligned values. */
export function record(fields: Readonly<Record<string, string>>): string {
  const titleWidth = Math.max(...Object.keys(fields).map((title) => widthOf(title)))
  const filled = Object.entries(fields).filter(([, text]) => text !== '')
  return filled
    .map(
      ([title, text]) =>
        `${`${fitToWidth(title, titleWidth + widestGap)}${sanitizeLine(text)}`.trim()}\n`,
    )
    .join('')
}

/** Returns a line for each warning. */
export const warningLines = (warnings: readonly string[]) =>
  warnings.map((warning) => `Warning: ${sanitizeLine(warning)}\n`).join('')
