import type { FleetField } from '../fields.ts'
import {
  type FieldProblem,
  type FleetProblem,
  type Locate,
  locateProblem,
} from '../fleetFileError.ts'
import { parseCell } from './parseCell.ts'
import type { Row, Table } from './readWorkbook.ts'
import { type Column, type SheetName, sheets } from './sheets.ts'

/** Reads cells, collects their problems, and finds the cells of the fields of the fleet file. */
export class SheetProblems {
  readonly #found: FleetProblem[] = []
  readonly #rows = new WeakMap<object, Pick<Row, 'address'>>()
  readonly #firstRows = new Map<string, Row>()
  /** False if no currency of the fleet has decimals: 3,000 is then three thousand. */
  hasDecimals = true

  add(row: Row, field: string, message: string): void {
    this.#found.push({ path: row.address(field), message })
  }

  /** Reports whether an earlier row of the sheet has the same key, which is a problem of `field`. */
  isRepeated(row: Row, field: string, key: string): boolean {
    const inSheet = `${row.sheet}!${key}`
    const first = this.#firstRows.get(inSheet)
    if (first === undefined) this.#firstRows.set(inSheet, row)
    else this.add(row, field, `repeats ${first.address(field)}`)
    return first !== undefined
  }

  /** Records the row, or its like, from which an entry was read, and returns the entry. */
  place<Entry extends object>(entry: Entry, row: Pick<Row, 'address'> | undefined): Entry {
    if (row !== undefined) this.#rows.set(entry, row)
    return entry
  }

  /** Records that an entry has the row of another. */
  placeAs<Entry extends object>(entry: Entry, other: object): Entry {
    return this.place(entry, this.#rows.get(other))
  }

  /** Returns the value of a cell, or undefined if the cell is empty or has a problem. */
  read(row: Row, field: string, column: Column): unknown {
    const cell = row.cell(field)
    if (cell === undefined) {
      if (column.required) this.add(row, field, 'is required')
      return undefined
    }
    const parsed = parseCell(cell, column.kind ?? 'text', this.hasDecimals)
    if ('problem' in parsed) {
      this.add(row, field, parsed.problem)
      return undefined
    }
    const { success, data } = column.field.safeParse(parsed.value)
    return success ? data : parsed.value
  }

  /**
   * Returns the fields that the sheet has columns for, translations in flat form. The value of an
   * empty cell is null, or undefined if the field has another default.
   */
  readFields({ columns }: Table, row: Row): Record<string, unknown> {
    const fields = Object.entries(columns).map(([field, column]) => {
      const value = this.read(row, field, column)
      return [field, value ?? column.field.safeParse(null).data]
    })
    return Object.fromEntries(fields)
  }

  /** Returns a function that returns the cell of a field of `file`, in the words of the workbook. */
  locatorOf(file: object): Locate {
    return (path) => {
      let node: unknown = file
      let address: string | undefined
      const refs: unknown[] = []
      for (const [index, key] of path.entries()) {
        node = Object(node)[key]
        const row = this.#rows.get(Object(node))
        address = row?.address(path.slice(index + 1).join('.')) ?? address
        if (typeof key === 'number') refs.push(Object(node)['ref'])
      }
      // An entry that the workbook has no row for is named by its refs.
      return address ?? `${sheetOf(path)}, ${refs.join(' / ')}, ${titleOf(path)}`
    }
  }

  /** Returns all problems by cell, one per cell, with those of the fleet file. */
  all(ofFile: readonly FieldProblem[], locate: Locate): FleetProblem[] {
    const seen = new Set<string>()
    return [...this.#found, ...ofFile.map((each) => locateProblem(each, locate))]
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
  }
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
