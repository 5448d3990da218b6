import type { ExportedFleet, ExportedGroup } from './columns.ts'
import { type FleetProblem, formatPath } from './fleetFileError.ts'
import type { SheetRow, SheetTable } from './sheetTable.ts'

interface Cell {
  readonly row: number
  readonly column: string
}

/** The rows of one group, with the context for parsing them. */
export interface GroupRows {
  readonly table: SheetTable
  readonly rows: readonly SheetRow[]
  readonly ref: string
  /** The group's path in the fleet file. */
  readonly path: readonly PropertyKey[]
  readonly known: ExportedFleet | undefined
  /** The tenant's current vehicles by folded ref. */
  readonly knownAssets: ReadonlyMap<string, ExportedGroup['assets'][number]>
  readonly problems: SheetProblems
}

/** Collects the problems of a spreadsheet, and maps fields of the fleet file to cells. */
export class SheetProblems {
  readonly #found: (Cell & { readonly message: string })[] = []
  readonly #cells = new Map<string, Cell>()

  /** Adds a problem of a cell. */
  add({ number: row }: SheetRow, column: string, message: string): void {
    this.#found.push({ row, column, message })
  }

  /** Records the cell from which a field of the fleet file was read. */
  place(path: readonly PropertyKey[], { number: row }: SheetRow, column: string): void {
    this.#cells.set(formatPath(path), { row, column })
  }

  /** Returns the problems by row, at most one per cell, including those of the fleet file. */
  locate(ofFile: readonly FleetProblem[]): FleetProblem[] {
    const located = ofFile.map(({ path, message }) => ({ ...this.#cellOf(path), message }))
    const cells = new Set<string>()
    const isFirstOfCell = ({ row, column }: Cell) =>
      !cells.has(`${row} ${column}`) && cells.add(`${row} ${column}`)
    return [...this.#found, ...located]
      .filter(isFirstOfCell)
      .toSorted((a, b) => a.row - b.row)
      .map(({ row, column, message }) => ({
        path: row === 0 ? column : `row ${row}, ${column}`,
        message: message.replace(/\bassetGroups\[[\w.[\]]+/g, (path) => {
          const cell = this.#cellOf(path)
          return `row ${cell.row}, ${cell.column}`
        }),
      }))
  }

  /** Returns the cell of a field or of its nearest parent. Row 0 means a command-line option. */
  #cellOf(path: string): Cell {
    for (let around = path; around !== ''; around = around.replace(/(\.\w+|\[\d+\]|^\w+)$/, '')) {
      const cell = this.#cells.get(around)
      if (cell !== undefined) return cell
    }
    return { row: 0, column: path }
  }
}
