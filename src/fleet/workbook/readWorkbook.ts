import { EncryptedFileError, HucreError, isInRange } from 'hucre'
import { cellRef, readXlsx, type Cell as XlsxCell, type Sheet as XlsxSheet } from 'hucre/xlsx'
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
import { unpackedBytes } from './unpackedBytes.ts'

const unpackedBytesMax = 100_000_000
const cellsMax = 2_000_000

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

/** The sheets of the workbook. A sheet that it does not have is missing here. */
export type Tables = { readonly [Name in SheetName]?: Table }

/**
 * Reads the sheets of a fleet workbook (.xlsx).
 * @throws FleetFileError for another kind of file, one that is too large, or wrong sheets or titles
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Tables> {
  const problems: FleetProblem[] = []
  const tables: Partial<Record<SheetName, Table>> = {}
  const others: string[] = []
  for (const sheet of await readSheets(bytes, others)) {
    const name = sheetOf(sheet.name)
    if (name === undefined) continue
    if (name in tables) problems.push({ path: sheet.name, message: `is a second sheet ${name}` })
    tables[name] = tableOf(sheet, sheets[name], problems)
  }
  const missing = sheetNames.filter((name) => !(name in tables))
  for (const name of others) {
    const hint = didYouMean(name, missing)
    if (hint !== '') problems.push({ path: name, message: `is not a sheet of a fleet${hint}` })
  }
  if (missing.length === sheetNames.length) {
    throw fileError(`has none of the sheets ${sheetNames.join(', ')} (see rental fleet template)`)
  }
  if (problems.length > 0) throw new FleetFileError(problems)
  return tables
}

/** Reads the sheets of a fleet, and adds the names of all others to `others`. */
async function readSheets(bytes: Uint8Array, others: string[]): Promise<readonly XlsxSheet[]> {
  if (unpackedBytes(bytes) > unpackedBytesMax) {
    throw fileError(
      `unpacks to more than ${unpackedBytesMax / 1e6} MB: remove pictures and sheets of your own`,
    )
  }
  const isRead = ({ name }: { readonly name: string }) => {
    if (sheetOf(name) === undefined) others.push(name)
    return sheetOf(name) !== undefined
  }
  const { sheets: read } = await readXlsx(bytes, { readStyles: true, sheets: isRead }).catch(
    (error: unknown) => {
      if (error instanceof HucreError) throw fileError(describeFailure(error))
      throw error
    },
  )
  const cells = read.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0)
  if (cells > cellsMax) throw fileError(tooManyCells)
  return read
}

function describeFailure(error: HucreError): string {
  if (error instanceof EncryptedFileError) {
    return 'is an old Excel workbook (.xls), or has a password: save it as .xlsx without a password'
  }
  if (/over the \d+ limit/.test(error.message)) return tooManyCells
  return `is damaged, or not an Excel workbook: save it again as .xlsx (${error.message})`
}

const tooManyCells =
  'has more than 2 million cells: delete the empty rows and columns beyond the table, which may have a stray value or format'

const titleOf = (text: unknown) => foldText(normalizeLine(String(text ?? '')))
const sheetOf = (name: string) => sheetNames.find((each) => titleOf(each) === titleOf(name))

function tableOf(sheet: XlsxSheet, declared: Columns, problems: FleetProblem[]): Table {
  const [header = [], ...body] = sheet.rows
  const titles = header.map(titleOf)
  const columns = columnsIn(languagesOf(titles), declared)
  problems.push(...headerProblems(sheet.name, header, columns))
  const found = Object.entries(columns).filter(([, { title }]) => titles.includes(titleOf(title)))
  const indexOf = new Map(
    found.map(([field, { title }]) => [field, titles.indexOf(titleOf(title))]),
  )
  const rows = body.flatMap((values, index) => {
    const blank = [...indexOf.values()].every((column) => isEmpty(values[column]))
    return blank ? [] : [rowOf(sheet, index + 1, indexOf)]
  })
  return { columns: Object.fromEntries(found), rows }
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

function* headerProblems(
  sheet: string,
  header: readonly unknown[],
  columns: Columns,
): Generator<FleetProblem> {
  const known = Object.values(columns).map(({ title }) => title)
  const titles = header.map(titleOf)
  for (const [index, title] of titles.entries()) {
    const path = addressOf(sheet, 0, index)
    const written = String(header[index])
    if (title !== '' && !known.some((each) => titleOf(each) === title)) {
      const choice = didYouMean(written, known) || `: the columns are ${known.join(', ')}`
      yield { path, message: `"${written}" is not a column${choice}` }
    } else if (title !== '' && titles.indexOf(title) < index) {
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
  return {
    sheet: sheet.name,
    cell(field) {
      const column = indexOf.get(field)
      return column === undefined ? undefined : cellOf(sheet, row, column)
    },
    address(field) {
      const whole = Array.from(indexOf.keys()).find((each) => each.startsWith(`${field}.`))
      return addressOf(sheet.name, row, indexOf.get(field) ?? indexOf.get(whole ?? '') ?? 0)
    },
  }
}

const errorValue = /^#(N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NULL!|NUM!)$/

function cellOf(sheet: XlsxSheet, row: number, column: number): Cell | undefined {
  const value = sheet.rows[row]?.[column]
  const details = sheet.cells?.get(`${row},${column}`)
  if (value === null || value === undefined || isEmpty(value)) {
    const problem = emptyProblem(sheet, row, column, value, details)
    return problem === undefined ? undefined : { value: '', problem, isPercentage: false }
  }
  const isError = details?.type === 'error' || errorValue.test(String(value))
  // A quoted or escaped % in a format is text: the cell shows the number as it is.
  const format = details?.style?.numFmt?.replace(/"[^"]*"|\\./g, '')
  return {
    value: typeof value === 'string' ? value.trim() : value,
    problem: isError ? `has the error value ${value}` : undefined,
    isPercentage: format?.includes('%') ?? false,
  }
}

/** Returns the reason why a cell has no value, if that is not what its owner wants. */
function emptyProblem(
  { name, rows, merges }: XlsxSheet,
  row: number,
  column: number,
  value: XlsxCell['value'] | undefined,
  details: XlsxCell | undefined,
): string | undefined {
  // A formula may have an empty text as its result, which is ''.
  if (value === null && details?.formula !== undefined) {
    return 'has a formula without a result: open and save the workbook'
  }
  const merge = merges?.find((each) => isInRange(row, column, each))
  if (!merge || isEmpty(rows[merge.startRow]?.[merge.startCol])) return undefined
  const first = addressOf(name, merge.startRow, merge.startCol)
  return `is merged with ${first}, and only that cell has the value`
}

/** Returns the address of a cell; `row` and `column` begin with 0. */
const addressOf = (sheet: string, row: number, column: number) => `${sheet}!${cellRef(row, column)}`
