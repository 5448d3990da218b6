import { type FleetProblem, formatPath } from '../fleetFileError.ts'
import { parseCell } from './parseCell.ts'
import type { Row, Table } from './readWorkbook.ts'
import type { Column } from './sheets.ts'

/** Reads cells, collects their problems, and maps fields of the fleet file to cells. */
export class SheetProblems {
  readonly #found: FleetProblem[] = []
  readonly #addresses = new Map<string, string>()
  readonly #firstRows = new Map<string, Row>()

  add(row: Row, field: string, message: string): void {
    this.#found.push({ path: row.address(field), message })
  }

  /** Reports whether an earlier row of the sheet has the same key, which is a problem of `field`. */
  isRepeated(row: Row, field: string, key: unknown): boolean {
    const inSheet = JSON.stringify([row.sheet, key])
    const first = this.#firstRows.get(inSheet)
    if (first === undefined) this.#firstRows.set(inSheet, row)
    else this.add(row, field, `repeats ${first.address(field)}`)
    return first !== undefined
  }

  /** Records the cell from which a field of the fleet file was read. */
  place(path: readonly PropertyKey[], address: string): void {
    this.#addresses.set(formatPath(path), address)
  }

  /**
   * Returns the value of a cell, or undefined if the cell is empty or has a problem. `path` is the
   * field of the fleet file.
   */
  read(row: Row, field: string, column: Column, path?: readonly PropertyKey[]): unknown {
    if (path !== undefined) this.place(path, row.address(field))
    const cell = row.cell(field)
    if (cell === undefined) {
      if (column.required) this.add(row, field, 'is required')
      return undefined
    }
    const parsed = parseCell(cell, column.kind ?? 'text')
    if ('value' in parsed) return parsed.value
    this.add(row, field, parsed.problem)
    return undefined
  }

  /**
   * Returns the fields that the sheet has columns for, translations in flat form. The value of an
   * empty cell is null, or undefined if the field has another default.
   */
  readFields({ columns }: Table, row: Row, path?: readonly PropertyKey[]): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [field, column] of Object.entries(columns)) {
      const parts = field.split('.')
      // A problem of a whole language is one of its cells.
      if (path !== undefined && parts.length > 1) {
        this.place([...path, ...parts.slice(0, -1)], row.address(field))
      }
      const value = this.read(row, field, column, path && [...path, ...parts])
      fields[field] = value ?? column.field.safeParse(null).data
    }
    return fields
  }

  /** Returns all problems by cell, one per cell, with those of the fleet file. */
  locate(ofFile: readonly FleetProblem[]): FleetProblem[] {
    const located = ofFile.map(({ path, message }) => ({
      path: this.#addressOf(path),
      message: message.replace(/\b(assetGroups|extras)\[[\w.[\]]+/g, (of) => this.#addressOf(of)),
    }))
    const seen = new Set<string>()
    return [...this.#found, ...located]
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
  }

  /** Returns the cell of a field or of its nearest parent, otherwise the field's path. */
  #addressOf(path: string): string {
    for (
      let around = path;
      around !== '';
      around = around.replace(/(\.\w+|\[[^\]]+\]|^\w+)$/, '')
    ) {
      const address = this.#addresses.get(around)
      if (address !== undefined) return address
    }
    return path
  }
}
