import Papa from 'papaparse'
import { normalizeLine } from '../input/fields.ts'
import { FleetFileError, type FleetProblem } from './fleetFileError.ts'

/** The columns of a fleet spreadsheet (docs/fleet.md#spreadsheet). */
export const sheetColumns = [
  'group',
  'group_name',
  'category',
  'description',
  'image_url',
  'turnaround_minutes',
  'vehicle',
  'rate',
  'daily_rate',
  'hourly_rate',
  'weekly_rate',
  'monthly_rate',
  'valid_from',
  'valid_to',
] as const

/** A row that is not blank. `number` is the row number in a spreadsheet program. */
export interface SheetRow {
  readonly number: number
  /** Returns the normalized text of a cell, or '' if the column is missing. */
  cell(column: string): string
}

export interface SheetTable {
  readonly columns: ReadonlySet<string>
  readonly rows: readonly SheetRow[]
  /** Whether amounts may be written as `59,90`: only if the comma does not separate cells. */
  readonly decimalComma: boolean
}

const delimiters = [',', ';', '\t']

/**
 * Parses a spreadsheet saved as CSV, with commas, semicolons or tabs.
 * @throws FleetFileError that lists every problem of the header, the quotation marks and the cells
 */
export function parseSheet(text: string): SheetTable {
  const csv = text.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(csv)
  const { data, errors } = Papa.parse<string[]>(csv, { delimiter })
  const rows = data.map((cells, index) => ({ number: index + 1, cells: cells.map(trim) }))
  const [header, ...body] = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (header === undefined) throw new FleetFileError([{ path: 'row 1', message: 'is empty' }])
  const names = header.cells.map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'))
  const problems = [
    ...errors.map(({ row = 0 }) => at(row + 1, 'has a quotation mark that is not closed')),
    ...headerProblems(header.number, names),
    ...body.flatMap(({ number, cells }) => valuesWithoutColumn(number, cells, names)),
  ]
  if (problems.length > 0) throw new FleetFileError(problems)
  return {
    columns: new Set(names.filter((name) => name !== '')),
    decimalComma: delimiter !== ',',
    rows: body.map(({ number, cells }) => ({
      number,
      cell: (column) => {
        const text = cells[names.indexOf(column)] ?? ''
        // Only a description may have several lines.
        return column === 'description' ? text : normalizeLine(text)
      },
    })),
  }
}

const trim = (cell: string) => cell.trim()
const at = (row: number, message: string): FleetProblem => ({ path: `row ${row}`, message })

/** Returns the delimiter that divides the first row into the most cells. */
function delimiterOf(csv: string): string {
  const [first = ''] = csv.split('\n').filter((line) => line.trim() !== '')
  const cellsBy = (delimiter: string) => Papa.parse<string[]>(first, { delimiter }).data[0] ?? []
  return delimiters.reduce((best, delimiter) =>
    cellsBy(delimiter).length > cellsBy(best).length ? delimiter : best,
  )
}

function* headerProblems(row: number, names: readonly string[]): Generator<FleetProblem> {
  const known: readonly string[] = sheetColumns
  for (const [index, name] of names.entries()) {
    if (name === '') continue
    if (!known.includes(name)) {
      yield at(row, `"${name}" is not a column. The columns are ${known.join(', ')}`)
    } else if (names.indexOf(name) < index) yield at(row, `has the column ${name} twice`)
  }
  if (!names.includes('group')) yield at(row, 'has no column group')
  const ofRates = names.find((name) => /^rate$|_rate$|^valid_/.test(name))
  if (ofRates !== undefined && !names.includes('daily_rate')) {
    yield at(row, `has the column ${ofRates}, but no column daily_rate, which every rate needs`)
  }
}

/**
 * Reports values to the right of the last named column, such as the rest of an amount with a comma,
 * or notes beside the table.
 */
function valuesWithoutColumn(
  row: number,
  cells: readonly string[],
  names: readonly string[],
): FleetProblem[] {
  const last = cells.findLastIndex((cell, index) => cell !== '' && (names[index] ?? '') === '')
  return last < 0
    ? []
    : [at(row, `has a value in column ${last + 1}, which has no name in the header row`)]
}
