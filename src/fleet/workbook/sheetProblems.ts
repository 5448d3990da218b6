import { type FleetProblem, formatPath } from '../fleetFileError.ts'
import { parseCell } from './parseCell.ts'
import type { Row, Table } from './readWorkbook.ts'
import { type Column, type Columns, sheetNames, sheets } from './sheets.ts'

/** Reads cells, collects their problems, and maps fields of the fleet file to cells. */
export class SheetProblems {
  readonly #found: FleetProblem[] = []
  readonly #addresses = new Map<string, string>()

  add(row: Row, field: string, message: string): void {
    this.#found.push({ path: row.address(field), message })
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
      const merged = row.mergedInto(field)
      if (merged !== undefined) {
        this.add(row, field, `is merged with ${merged}, and only that cell has the value`)
      } else if (column.required) this.add(row, field, 'is required')
      return undefined
    }
    const parsed = parseCell(cell, column.kind)
    if ('value' in parsed) return parsed.value
    this.add(row, field, parsed.problem)
    return undefined
  }

  /**
   * Returns the fields that the sheet has columns for, translations in flat form. The value of an
   * empty cell is null.
   */
  readFields({ columns }: Table, row: Row, path?: readonly PropertyKey[]): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [field, column] of Object.entries(columns)) {
      const parts = field.split('.')
      // A problem of a whole language is one of its cells.
      if (path !== undefined && parts.length > 1) {
        this.place([...path, ...parts.slice(0, -1)], row.address(field))
      }
      fields[field] = this.read(row, field, column, path && [...path, ...parts]) ?? null
    }
    return fields
  }

  /** Returns all problems in the order of the cells, one per cell, with those of the fleet file. */
  locate(ofFile: readonly FleetProblem[]): FleetProblem[] {
    const located = ofFile.map(({ path, message }) => {
      return { path: this.#addressOf(path), message: this.#inWordsOfSheet(path, message) }
    })
    const seen = new Set<string>()
    return [...this.#found, ...located]
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .toSorted((a, b) => positionOf(a.path) - positionOf(b.path))
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

  /** Replaces paths by addresses, and names of fields by titles. */
  #inWordsOfSheet(path: string, message: string): string {
    const name = sheetNames.find((sheet) => this.#addressOf(path).startsWith(sheet))
    const columns: Columns = name === undefined ? {} : sheets[name]
    const text = message
      .replace(/\b(assetGroups|extras)\[[\w.[\]]+/g, (other) => this.#addressOf(other))
      .replace('true or false', 'yes or no')
    return Object.entries(columns).reduce(
      (words, [field, { title }]) => words.replace(new RegExp(`\\b${field}\\b`, 'g'), title),
      text,
    )
  }
}

/** Returns a number that orders addresses by sheet, row and column. */
function positionOf(address: string): number {
  const [, sheet = address, column = '', row = '0'] = /^(.*)!([A-Z]+)(\d+)$/.exec(address) ?? []
  const index = sheetNames.findIndex((name) => sheet.toLowerCase().startsWith(name.toLowerCase()))
  const letters = Array.from(column).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0), 0)
  return index * 1e12 + Number(row) * 1e5 + letters
}
