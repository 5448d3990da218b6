const gap = '  '
const narrowestColumn = 8

export interface Column<Field extends string> {
  readonly field: Field
  /** The heading; a table of which no column has one goes without. */
  readonly title?: string
  /** Never shortened: an id is there to be copied. */
  readonly whole?: boolean
  readonly right?: boolean
}

/**
 * Aligned columns, shortened to `width` where there is one; where not even that makes them fit, each
 * row becomes a record of one line a field. Ends with a line break unless empty.
 */
export function table<Field extends string>(
  rows: readonly Readonly<Record<Field, string>>[],
  columns: readonly Column<Field>[],
  width?: number,
): string {
  const titled = columns.some(({ title }) => title !== undefined)
  const lines = rows.map((row) => columns.map(({ field }) => row[field]))
  if (titled) lines.unshift(columns.map(({ title = '' }) => title))
  const widths = fitWidths(columns, lines, width)
  if (width !== undefined && titled && lineWidth(widths) > width) return records(rows, columns)
  return lines
    .map((cells) => {
      const padded = cells.map((cell, index) =>
        pad(cell, widths[index] ?? 0, columns[index]?.right),
      )
      return `${padded.join(gap).trimEnd()}\n`
    })
    .join('')
}

function records<Field extends string>(
  rows: readonly Readonly<Record<Field, string>>[],
  columns: readonly Column<Field>[],
): string {
  const titleWidth = Math.max(...columns.map(({ title = '' }) => lengthOf(title)))
  return rows
    .map((row) =>
      columns
        .filter(({ field }) => row[field] !== '')
        .map(
          ({ field, title = '' }) => `${`${pad(title, titleWidth)}${gap}${row[field]}`.trim()}\n`,
        )
        .join(''),
    )
    .join('\n')
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + gap.length, -gap.length)
}

function fitWidths(
  columns: readonly Column<string>[],
  lines: readonly (readonly string[])[],
  width: number | undefined,
): number[] {
  const widths = columns.map((_, index) =>
    Math.max(0, ...lines.map((cells) => lengthOf(cells[index] ?? ''))),
  )
  if (width === undefined) return widths
  let excess = lineWidth(widths) - width
  for (; excess > 0; excess -= 1) {
    const widest = widestShrinkable(columns, widths)
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function widestShrinkable(
  columns: readonly Column<string>[],
  widths: readonly number[],
): number | undefined {
  let widest: number | undefined
  for (const [index, { whole = false }] of columns.entries()) {
    const width = widths[index] ?? 0
    if (whole || width <= narrowestColumn) continue
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index
  }
  return widest
}

function pad(cell: string, width: number, right = false): string {
  const points = [...cell]
  const shown = points.length > width ? `${points.slice(0, width - 1).join('')}…` : cell
  const padding = ' '.repeat(width - lengthOf(shown))
  return right ? padding + shown : shown + padding
}

function lengthOf(text: string): number {
  return [...text].length
}
