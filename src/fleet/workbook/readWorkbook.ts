import { type CellObject, CFB, read, SSF, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { foldText } from '../../domain/foldText.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { normalizeLine } from '../../input/fields.ts'
import { FleetFileError, type FleetProblem, fileError } from '../fleetFileError.ts'
import type { Cell } from './parseCell.ts'
import {
  type Columns,
  columnsIn,
  languagesOf,
  type SheetName,
  sheetNames,
  sheets,
} from './sheets.ts'
import { unpackWorkbook } from './unpackWorkbook.ts'

/** A row that is not blank. */
export interface Row {
  readonly sheet: string
  /** Returns the cell of a field, or undefined if it is empty. */
  cell(field: string): Cell | undefined
  /** Returns the address of a field's cell as a spreadsheet program shows it: `Rates!C7`. */
  address(field: string): string
}

/** A sheet with its rows. `columns` are those that the sheet has, by field. */
export interface Table {
  readonly columns: Columns
  readonly rows: readonly Row[]
}

/** The sheets of the workbook. A sheet that it does not have is missing in `tables`. */
export interface ReadWorkbook {
  readonly tables: { readonly [Name in SheetName]?: Table }
  /** The names of the owner's own sheets. */
  readonly otherSheets: readonly string[]
}
export type Tables = ReadWorkbook['tables']

/** A sheet with its cells by row and column, both from 0. */
interface Grid {
  readonly name: string
  readonly cells: readonly (readonly (CellObject | undefined)[] | undefined)[]
  readonly merges: NonNullable<WorkSheet['!merges']>
}

/**
 * Reads the sheets of a fleet workbook (.xlsx).
 * @throws FleetFileError for another kind of file, one that is too large, or wrong sheets or titles
 */
export async function readWorkbook(bytes: Buffer): Promise<ReadWorkbook> {
  const problems: FleetProblem[] = []
  const tables: Partial<Record<SheetName, Table>> = {}
  const otherSheets: string[] = []
  const { SheetNames, Sheets } = await parse(bytes)
  for (const path of SheetNames) {
    const { '!data': cells = [], '!merges': merges = [] } = Sheets[path] ?? {}
    const name = sheetNames.find((each) => titleOf(each) === titleOf(path))
    if (name === undefined) otherSheets.push(path)
    else if (name in tables) problems.push({ path, message: `is a second sheet ${name}` })
    else tables[name] = tableOf({ name: path, cells, merges }, sheets[name], problems)
  }
  const missing = sheetNames.filter((name) => !(name in tables))
  if (missing.length === sheetNames.length) {
    throw fileError(`has none of the sheets ${sheetNames.join(', ')} (see rental fleet template)`)
  }
  for (const path of otherSheets) {
    const hint = didYouMean(path, missing)
    if (hint !== '') problems.push({ path, message: `is not a sheet of a fleet${hint}` })
  }
  if (problems.length > 0) throw new FleetFileError(problems)
  return { tables, otherSheets }
}

const oldWorkbook = 0xd0cf11e0

async function parse(bytes: Buffer): Promise<WorkBook> {
  if (bytes.readUInt32BE(0) === oldWorkbook) {
    throw fileError(
      'is an old Excel workbook (.xls), or has a password: save it as .xlsx without a password',
    )
  }
  try {
    const files = await unpackWorkbook(bytes)
    if (files.has('mimetype')) {
      throw fileError('is an OpenDocument spreadsheet (.ods): save it as an Excel workbook (.xlsx)')
    }
    const container = CFB.utils.cfb_new()
    for (const [name, content] of files) CFB.utils.cfb_add(container, name, content)
    const zip = CFB.write(container, { fileType: 'zip', type: 'buffer' })
    // Without stubs, a formula without a result would look like an empty cell.
    return read(zip, {
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellText: false,
      sheetStubs: true,
      cellDates: true,
      UTC: true,
      nodim: true,
    })
  } catch (error) {
    if (error instanceof FleetFileError) throw error
    throw fileError(`is damaged, or not an Excel workbook: save it again as .xlsx (${error})`)
  }
}

/** Returns a title on one line: titles may be wrapped in their cells. */
const lineOf = (text: unknown) => normalizeLine(String(text ?? '').replace(/\s+/g, ' '))
const titleOf = (text: unknown) => foldText(lineOf(text))

function tableOf(grid: Grid, declared: Columns, problems: FleetProblem[]): Table {
  const { name, cells } = grid
  const width = cells.reduce((most, row) => Math.max(most, row?.length ?? 0), 0)
  const header = Array.from({ length: width }, (_, column) => lineOf(cells[0]?.[column]?.v))
  const titles = header.map(foldText)
  const columns = columnsIn(languagesOf(titles), declared)
  problems.push(...headerProblems(grid, header, columns))
  const indexOf = new Map<string, number>()
  for (const [field, { title, required }] of Object.entries(columns)) {
    const index = titles.indexOf(titleOf(title))
    if (index >= 0) indexOf.set(field, index)
    else if (required)
      problems.push({ path: name, message: `has no column ${title} in its first row` })
  }
  const rows = cells.flatMap((row, index) => {
    const blank = [...indexOf.values()].every((column) => isEmpty(row?.[column]))
    return blank || index === 0 ? [] : [rowOf(grid, index, indexOf)]
  })
  const found = Object.entries(columns).filter(([field]) => indexOf.has(field))
  return { columns: Object.fromEntries(found), rows }
}

const isEmpty = (cell: CellObject | undefined) =>
  cell === undefined ||
  (cell.t === 'z' && cell.f === undefined) ||
  (typeof cell.v === 'string' && cell.v.trim() === '')

function* headerProblems(
  { name: sheet, cells }: Grid,
  header: readonly string[],
  columns: Columns,
): Generator<FleetProblem> {
  const known = Object.values(columns).map(({ title }) => title)
  const titles = header.map(foldText)
  const firstRows = new Map<number, number>()
  // forEach skips the holes of a sheet with a stray cell far away.
  cells.forEach((row, index) => {
    row?.forEach((cell, column) => {
      if (!isEmpty(cell) && !firstRows.has(column)) firstRows.set(column, index)
    })
  })
  for (const [index, written] of header.entries()) {
    const path = addressOf(sheet, 0, index)
    const title = foldText(written)
    const filled = firstRows.get(index)
    // The title of a column of the owner's own begins with #.
    if (title.startsWith('#') || filled === undefined) continue
    if (title === '') {
      const value = addressOf(sheet, filled, index)
      yield { path, message: `has no title, but there is a value in ${value}` }
    } else if (!known.some((each) => titleOf(each) === title)) {
      const all = `: the columns are ${known.join(', ')}; begin the title of your own with #`
      const choice = didYouMean(written, known) || all
      yield { path, message: `"${written}" is not a column${choice}` }
    } else if (titles.indexOf(title) < index) {
      yield { path, message: `repeats the column ${written}` }
    }
  }
}

function rowOf(grid: Grid, row: number, indexOf: ReadonlyMap<string, number>): Row {
  return {
    sheet: grid.name,
    cell(field) {
      const column = indexOf.get(field)
      return column === undefined ? undefined : cellOf(grid, row, column)
    },
    address(field) {
      const whole = Array.from(indexOf.keys()).find((each) => each.startsWith(`${field}.`))
      return addressOf(grid.name, row, indexOf.get(field) ?? indexOf.get(whole ?? '') ?? 0)
    },
  }
}

const errorValues: Readonly<Record<string, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

function cellOf(grid: Grid, row: number, column: number): Cell | undefined {
  const cell = grid.cells[row]?.[column]
  if (cell === undefined || isEmpty(cell)) {
    const problem = mergeProblem(grid, row, column)
    return problem === undefined ? undefined : { value: '', problem }
  }
  const { t: type, v: value = '', z: format = 'General' } = cell
  const unusable = {
    z: 'has a formula without a result: open and save the workbook',
    e: `has the error value ${errorValues[String(value)] ?? 'of a formula'}`,
  }
  if (type === 'z' || type === 'e') return { value: '', problem: unusable[type] }
  if (typeof value !== 'number') return { value: typeof value === 'string' ? value.trim() : value }
  // A quoted or escaped % in a format is text: the cell shows the number as it is.
  const isPercentage = String(format)
    .replace(/"[^"]*"|\\./g, '')
    .includes('%')
  return { value, shown: shownAs(value, String(format), isPercentage), isPercentage }
}

function shownAs(value: number, format: string, isPercentage: boolean): string {
  if (isPercentage) return `${Number((value * 100).toPrecision(15))} %`
  try {
    return String(SSF.format(format, value)).trim()
  } catch {
    // A format that the library cannot apply also shows something else than the number.
    return format
  }
}

/** Returns the problem of an empty cell that is merged with one that has a value. */
function mergeProblem({ name, cells, merges }: Grid, row: number, column: number) {
  const merge = merges.find(
    ({ s, e }) => s.r <= row && row <= e.r && s.c <= column && column <= e.c,
  )
  if (!merge || isEmpty(cells[merge.s.r]?.[merge.s.c])) return undefined
  const first = addressOf(name, merge.s.r, merge.s.c)
  return `is merged with ${first}, and only that cell has the value`
}

/** Returns the address of a cell; `row` and `column` begin with 0. */
const addressOf = (sheet: string, row: number, column: number) =>
  `${sheet}!${utils.encode_cell({ r: row, c: column })}`
