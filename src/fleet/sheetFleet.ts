import { foldRef } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'
import { describeIssue } from '../input/issues.ts'
import type { ExportedFleet, ExportedGroup } from './columns.ts'
import { crossFieldErrors } from './crossFieldErrors.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, formatPath } from './fleetFileError.ts'
import { type GroupRows, SheetProblems } from './sheetProblems.ts'
import { ratesOfRows } from './sheetRates.ts'
import type { SheetRow, SheetTable } from './sheetTable.ts'

/** The tenant of a fleet file, not validated yet. */
type TenantFields = Readonly<Record<string, unknown>>

/**
 * Converts a spreadsheet to a fleet file. Fields without a column keep their value from `known`, the
 * tenant's current fleet.
 * @throws FleetFileError that lists every problem with its row and column
 */
export function fleetOfSheet(
  table: SheetTable,
  tenant: TenantFields,
  known: ExportedFleet | undefined,
): FleetFile {
  const problems = new SheetProblems()
  const assets = known?.assetGroups.flatMap((group) => group.assets) ?? []
  const knownAssets = new Map(assets.map((asset) => [foldRef(asset.ref), asset]))
  const assetGroups = rowsByGroup(table, problems).map(([ref, rows], index) =>
    groupOf({ table, rows, ref, path: ['assetGroups', index], known, knownAssets, problems }),
  )
  const file = { tenant, assetGroups, extras: known?.extras ?? [] }
  const result = fleetFile.safeParse(file, { error: describeIssue })
  const issues: FleetProblem[] = (result.error?.issues ?? []).map(({ path, message }) => ({
    path: formatPath(path),
    message,
  }))
  const found = problems.locate([...issues, ...crossFieldErrors(file)])
  if (!result.success || found.length > 0) throw new FleetFileError(found)
  return result.data
}

function rowsByGroup({ rows }: SheetTable, problems: SheetProblems) {
  const rowsOf = groupBy(rows, (row) => row.cell('group'))
  for (const row of rowsOf('')) {
    problems.add(row, 'group', 'is required. Merged cells are saved empty: fill in every row')
  }
  const refs = new Set(rows.map((row) => row.cell('group')).filter(Boolean))
  return [...refs].map((ref) => [ref, rowsOf(ref)] as const)
}

/** The columns of a group, each with its field and the default for a new group. */
const groupFields = [
  ['group_name', 'name', undefined],
  ['category', 'category', 'car'],
  ['description', 'description', null],
  ['image_url', 'imageUrl', null],
  ['turnaround_minutes', 'turnaroundMinutes', 0],
] as const

function groupOf(group: GroupRows): object {
  const { rows, ref, path, known, problems } = group
  const knownGroup = known?.assetGroups.find((each) => each.ref === ref)
  const [first] = rows
  if (first !== undefined) problems.place(path, first, 'group')
  const fields = groupFields.map(([column, field, fallback]) => {
    const typed = onlyValue(group, column, [...path, field])
    const number = field === 'turnaroundMinutes' && /^\d{1,9}$/.test(typed) ? Number(typed) : typed
    const otherwise = knownGroup?.[field] ?? (field === 'name' ? ref : fallback)
    return [field, typed === '' ? otherwise : number]
  })
  return {
    ref,
    ...(knownGroup && { id: knownGroup.id, currency: knownGroup.currency }),
    ...Object.fromEntries(fields),
    assets: assetsOf(group, knownGroup),
    rates: ratesOfRows(group, knownGroup),
  }
}

/** Returns a column's only value in the rows of a group, or ''. Different values are a problem. */
function onlyValue({ rows, problems }: GroupRows, column: string, path: PropertyKey[]): string {
  const [first, ...others] = rows.filter((row) => row.cell(column) !== '')
  if (first === undefined) return ''
  problems.place(path, first, column)
  for (const other of others) {
    if (other.cell(column) === first.cell(column)) continue
    problems.add(other, column, `differs from row ${first.number}, of the same group`)
  }
  return first.cell(column)
}

function assetsOf({ table, rows, path, knownAssets, problems }: GroupRows, known?: ExportedGroup) {
  if (!table.columns.has('vehicle')) return known?.assets ?? []
  const firstRows = new Map<string, SheetRow>()
  for (const row of rows) {
    const ref = row.cell('vehicle')
    if (ref === '') continue
    const first = firstRows.get(ref)
    if (first === undefined) firstRows.set(ref, row)
    // A vehicle may be repeated for each of several rates. A vehicle that is repeated with the same
    // rate is a mistake.
    else if (row.cell('rate') === first.cell('rate') && sameDates(row, first)) {
      problems.add(row, 'vehicle', `"${ref}" is already in row ${first.number}`)
    }
  }
  return [...firstRows].map(([ref, row], index) => {
    problems.place([...path, 'assets', index], row, 'vehicle')
    return { ref, blocks: knownAssets.get(foldRef(ref))?.blocks ?? [] }
  })
}

const sameDates = (row: SheetRow, other: SheetRow) =>
  ['valid_from', 'valid_to'].every((column) => row.cell(column) === other.cell(column))
