import type { FleetField } from '../fields.ts'
import {
  type FieldProblem,
  FleetFileError,
  type FleetProblem,
  type Locate,
  locateProblem,
} from '../fleetFileError.ts'
import { parseCell } from './parseCell.ts'
import type { Row, Table } from './readWorkbook.ts'
import { type Column, type SheetName, sheets } from './sheets.ts'

/** The row of an entry of the fleet file. Spreading the entry keeps it, and the schema ignores it. */
export const rowOf = Symbol('row')

/** The fields of a row, translations in flat form. */
export interface Entry {
  readonly [field: string]: unknown
  readonly [rowOf]: Row
}

/** Reads cells, and collects their problems. */
export class SheetReader {
  readonly #problems: FleetProblem[] = []
  readonly #firstRows = new Map<string, Row>()
  /** False if no currency of the fleet has decimals: 3,000 is then three thousand. */
  hasDecimals = true

  add(row: Row, field: string, message: string): void {
    this.#problems.push({ path: row.address(field), message })
  }

  /** Reports whether an earlier row of the sheet has the same key, which is a problem of `field`. */
  isRepeated(row: Row, field: string, key: string): boolean {
    const inSheet = `${row.sheet}!${key}`
    const first = this.#firstRows.get(inSheet)
    if (first === undefined) this.#firstRows.set(inSheet, row)
    else this.add(row, field, `repeats ${first.address(field)}`)
    return first !== undefined
  }

  /** Returns the value of a cell, or undefined if the cell is empty or has a problem. */
  read(row: Row, field: string, { field: schema, kind = 'text', required }: Column): unknown {
    const cell = row.cell(field)
    if (cell === undefined && !required) return undefined
    const parsed =
      cell === undefined ? { problem: 'is required' } : parseCell(cell, kind, this.hasDecimals)
    if ('value' in parsed) return schema.safeParse(parsed.value).data ?? parsed.value
    this.add(row, field, parsed.problem)
    return undefined
  }

  /**
   * Returns the rows of a sheet, with the fields that it has columns for; undefined without the sheet.
   * The value of an empty cell is null, or undefined if the field has another default.
   */
  entries(table: Table): Entry[]
  entries(table: Table | undefined): Entry[] | undefined
  entries(table: Table | undefined): Entry[] | undefined {
    return table?.rows.map((row) => {
      const fields = Object.entries(table.columns).map(([field, column]) => {
        return [field, this.read(row, field, column) ?? column.field.safeParse(null).data]
      })
      return { ...Object.fromEntries(fields), [rowOf]: row }
    })
  }

  /** @throws FleetFileError that lists one problem for each cell, with those of the fleet file */
  assertValid(ofFile: readonly FieldProblem[], locate: Locate): void {
    const seen = new Set<string>()
    const problems = [...this.#problems, ...ofFile.map((each) => locateProblem(each, locate))]
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
    if (problems.length > 0) throw new FleetFileError(problems)
  }
}

/** Returns a function that returns the cell of a field of `file`, in the words of the workbook. */
export const locatorOf =
  (file: object): Locate =>
  (path) => {
    let node: unknown = file
    let address: string | undefined
    const refs: unknown[] = []
    for (const [index, key] of path.entries()) {
      node = Object(node)[key]
      const row: Row | undefined = Object(node)[rowOf]
      address = row?.address(path.slice(index + 1).join('.')) ?? address
      if (typeof key === 'number') refs.push(Object(node)['ref'])
    }
    // An entry that the workbook has no row for is named by its refs.
    return address ?? `${sheetOf(path)}, ${refs.join(' / ')}, ${titleOf(path)}`
  }

function sheetOf(path: readonly PropertyKey[]): SheetName {
  if (path[0] === 'extras') return 'Extras'
  return path[2] === 'rates' ? 'Rates' : path[2] === 'assets' ? 'Vehicles' : 'Groups'
}

function titleOf(path: readonly PropertyKey[]): string {
  const fields: Readonly<Record<string, Pick<FleetField, 'title'>>> = sheets[sheetOf(path)]
  const field = String(path.at(-1))
  return fields[field]?.title ?? field
}
