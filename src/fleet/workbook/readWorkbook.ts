import { HucreError } from 'hucre'
import { readXlsx, type Cell as XlsxCell, type Sheet as XlsxSheet } from 'hucre/xlsx'
import { foldText } from '../../domain/foldText.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { normalizeLine } from '../../input/fields.ts'
import { FleetFileError, type FleetProblem, fileError } from '../fleetFileError.ts'
import type { Cell } from './parseCell.ts'
import {
  type Columns,
  cellName,
  columnsIn,
  companyColumns,
  languagesOf,
  type SheetName,
  sheetNames,
  sheets,
} from './sheets.ts'
import { unpackedBytes } from './unpackedBytes.ts'

const unpackedBytesMax = 100_000_000
const cellsMax = 2_000_000

/** A row that is not blank. */
export interface Row {
  /** Returns the cell of a field, or undefined if it is empty. */
  cell(field: string): Cell | undefined
  /** Returns the address of a field's cell as a spreadsheet program shows it: `Rates!C7`. */
  address(field: string): string
  /** Returns the reason why the cell of a field is empty, if it is part of a merged cell. */
  mergedInto(field: string): string | undefined
}

/** A sheet with its rows. `columns` are those that the sheet has, by field. */
export interface Table {
  readonly columns: Columns
  readonly rows: readonly Row[]
}

/** The sheets of the workbook. A sheet that it does not have is missing here. */
export type Tables = { readonly [Name in SheetName]?: Table }

/**
 * Reads the sheets of a fleet workbook (.xlsx).
 * @throws FleetFileError for another kind of file, one that is too large, or wrong sheets or titles
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Tables> {
  const found = await readSheets(bytes)
  const problems: FleetProblem[] = []
  const tables: Partial<Record<SheetName, Table>> = {}
  for (const [name, sheet] of found) {
    const columns: Columns = name === 'Company' ? companyColumns : sheets[name]
    tables[name] = tableOf(sheet, columns, problems)
  }
  if (problems.length > 0) throw new FleetFileError(problems)
  return tables
}

async function readSheets(bytes: Uint8Array): Promise<Map<SheetName, XlsxSheet>> {
  if (unpackedBytes(bytes) > unpackedBytesMax) {
    throw fileError(
      `unpacks to more than ${unpackedBytesMax / 1e6} MB: remove pictures and sheets of your own`,
    )
  }
  const others: string[] = []
  const found = new Map<SheetName, XlsxSheet>()
  const isRead = ({ name }: { readonly name: string }) => {
    if (sheetOf(name) === undefined) others.push(name)
    return sheetOf(name) !== undefined
  }
  const { sheets: read } = await readXlsx(bytes, { readStyles: true, sheets: isRead }).catch(
    (error: unknown) => {
      if (!(error instanceof HucreError)) throw error
      throw fileError(
        /over the \d+ limit/.test(error.message)
          ? tooManyCells
          : `is damaged or incomplete: save the workbook again as .xlsx (${error.message})`,
      )
    },
  )
  const problems: FleetProblem[] = []
  for (const sheet of read) {
    const name = sheetOf(sheet.name)
    if (name === undefined) continue
    if (found.has(name)) problems.push({ path: sheet.name, message: `is a second sheet ${name}` })
    found.set(name, sheet)
  }
  const missing = sheetNames.filter((name) => !found.has(name))
  for (const name of others) {
    const hint = didYouMean(name, missing)
    if (hint !== '') problems.push({ path: name, message: `is not a sheet of a fleet${hint}` })
  }
  if (found.size === 0) {
    throw fileError(`has none of the sheets ${sheetNames.join(', ')} (see rental fleet template)`)
  }
  if (problems.length > 0) throw new FleetFileError(problems)
  const cells = read.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0)
  if (cells > cellsMax) throw fileError(tooManyCells)
  return found
}

const tooManyCells =
  'has more than 2 million cells: delete the empty rows and columns beyond the table, which may have a stray value or format'

const titleOf = (text: string) => foldText(normalizeLine(text))
const sheetOf = (name: string) => sheetNames.find((each) => titleOf(each) === titleOf(name))

function tableOf(sheet: XlsxSheet, declared: Columns, problems: FleetProblem[]): Table {
  const [header = [], ...body] = sheet.rows
  const written = header.map((value) => normalizeLine(String(value ?? '')))
  const columns = columnsIn(languagesOf(written), declared)
  const titles = written.map(titleOf)
  const isUsed = titles.map((_, index) => body.some((row) => !isEmpty(row[index])))
  problems.push(...headerProblems(sheet.name, header, isUsed, columns))
  const indexOf = new Map<string, number>()
  for (const [field, { title }] of Object.entries(columns)) {
    const index = titles.indexOf(titleOf(title))
    if (index >= 0) indexOf.set(field, index)
  }
  const rows = body.flatMap((values, index) => {
    const blank = [...indexOf.values()].every((column) => isEmpty(values[column]))
    return blank ? [] : [rowOf(sheet, index + 1, indexOf)]
  })
  const found = Object.entries(columns).filter(([field]) => indexOf.has(field))
  return { columns: Object.fromEntries(found), rows }
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

function* headerProblems(
  sheet: string,
  header: readonly unknown[],
  isUsed: readonly boolean[],
  columns: Columns,
): Generator<FleetProblem> {
  const known = Object.values(columns).map(({ title }) => title)
  const titles = header.map((value) => titleOf(String(value ?? '')))
  if (titles.every((title) => title === '') && isUsed.every((used) => !used)) return
  for (const [index, title] of titles.entries()) {
    const path = addressOf(sheet, 0, index)
    const written = String(header[index])
    if (title === '') {
      if (isUsed[index]) yield { path, message: 'is empty, but the column has values: add a title' }
    } else if (!known.some((each) => titleOf(each) === title)) {
      const choice = didYouMean(written, known) || `: the columns are ${known.join(', ')}`
      yield { path, message: `"${written}" is not a column${choice}` }
    } else if (titles.indexOf(title) < index) {
      yield { path, message: `repeats the column ${written}` }
    }
  }
  for (const { title, required } of Object.values(columns)) {
    if (required && !titles.includes(titleOf(title))) {
      yield { path: sheet, message: `has no column ${title}` }
    }
  }
}

function rowOf(sheet: XlsxSheet, row: number, indexOf: ReadonlyMap<string, number>): Row {
  const columnOf = (field: string) => indexOf.get(field) ?? 0
  return {
    cell(field) {
      const column = indexOf.get(field)
      if (column === undefined) return undefined
      return cellOf(sheet.rows[row]?.[column], sheet.cells?.get(`${row},${column}`))
    },
    address: (field) => addressOf(sheet.name, row, columnOf(field)),
    mergedInto(field) {
      const column = columnOf(field)
      const merge = sheet.merges?.find(
        ({ startRow, endRow, startCol, endCol }) =>
          startRow <= row && row <= endRow && startCol <= column && column <= endCol,
      )
      if (!merge || isEmpty(sheet.rows[merge.startRow]?.[merge.startCol])) return undefined
      return addressOf(sheet.name, merge.startRow, merge.startCol)
    },
  }
}

const errorValue = /^#(N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NULL!|NUM!)$/

function cellOf(value: XlsxCell['value'] | undefined, details: XlsxCell | undefined) {
  // A quoted or escaped % in a format is text: the cell shows the number as it is.
  const format = details?.style?.numFmt?.replace(/"[^"]*"|\\./g, '')
  const isPercentage = format?.includes('%') ?? false
  // A formula may have an empty text as its result, which is ''.
  if (value === null && details?.formula !== undefined) {
    const problem = 'has a formula without a result: open and save the workbook'
    return { value: '', problem, isPercentage }
  }
  if (value === null || value === undefined || isEmpty(value)) return undefined
  const isError = details?.type === 'error' || errorValue.test(String(value))
  return {
    value: typeof value === 'string' ? value.trim() : value,
    problem: isError ? `has the error value ${value}` : undefined,
    isPercentage,
  }
}

/** Returns the address of a cell; `row` and `column` begin with 0. */
const addressOf = (sheet: string, row: number, column: number) =>
  `${sheet}!${cellName(row, column)}`
