import { foldRef, foldText } from '../../domain/foldText.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { normalizeLine } from '../../input/fields.ts'
import { describeIssue } from '../../input/issues.ts'
import type { ExportedFleet } from '../columns.ts'
import { type FleetFile, fleetFile } from '../fleetFile.ts'
import { FleetFileError, formatPath } from '../fleetFileError.ts'
import { nestTranslations } from '../translatedTexts.ts'
import { type GivenRow, matchStored } from './matchStored.ts'
import type { Table, Tables } from './readWorkbook.ts'
import { SheetProblems } from './sheetProblems.ts'
import { settings } from './sheets.ts'

type Fields = Readonly<Record<string, unknown>>
type KnownGroup = ExportedFleet['assetGroups'][number]

/** The tenant's stored fleet: its active groups, and the archived ones, which may come back. */
export interface KnownFleet {
  readonly fleet: ExportedFleet
  readonly archivedGroups: readonly KnownGroup[]
}

/**
 * Converts a workbook to a fleet file. A field without a sheet or a column keeps its value
 * from `known`, the stored fleet; undefined for a new tenant.
 * @throws FleetFileError that lists every problem with its cell
 */
export function fleetOfWorkbook(
  tables: Tables,
  slug: string,
  known: KnownFleet | undefined,
): FleetFile {
  const problems = new SheetProblems()
  const file = {
    tenant: { slug, ...known?.fleet.tenant, ...companyOf(tables.Company, problems) },
    assetGroups: groupsOf(tables, known, problems),
    extras: extrasOf(tables.Extras, known?.fleet.extras ?? [], problems),
  }
  const result = fleetFile.safeParse(file, { error: describeIssue })
  const issues = (result.error?.issues ?? []).map(({ path, message }) => {
    return { path: formatPath(path), message }
  })
  const found = problems.locate(issues)
  if (!result.success || found.length > 0) throw new FleetFileError(found)
  return result.data
}

/** Returns the terms that the sheet `Company` has a value for. The value `none` is null. */
function companyOf(table: Table | undefined, problems: SheetProblems): Fields {
  for (const [field, { title }] of Object.entries(settings)) {
    problems.place(['tenant', field], `Company, ${title}`)
  }
  const fields: Record<string, unknown> = {}
  for (const row of table?.rows ?? []) {
    const setting = normalizeLine(String(row.cell('setting')?.value ?? ''))
    const [field, column] =
      Object.entries(settings).find(([, { title }]) => foldText(title) === foldText(setting)) ?? []
    if (field === undefined || column === undefined) {
      const titles = Object.values(settings).map(({ title }) => title)
      const choice = didYouMean(setting, titles) || `: the settings are ${titles.join(', ')}`
      problems.add(row, 'setting', `"${setting}" is not a setting${choice}`)
    } else if (!problems.isRepeated(row, 'setting', field)) {
      const typed = foldText(String(row.cell('value')?.value))
      const isNone = typed === 'none' && column.field.safeParse(null).success
      const value = isNone ? null : problems.read(row, 'value', column, ['tenant', field])
      if (value !== undefined) fields[field] = value
    }
  }
  return fields
}

function groupsOf(tables: Tables, known: KnownFleet | undefined, problems: SheetProblems) {
  const stored = known?.fleet.assetGroups ?? []
  const groups = tables.Groups
    ? groupRows(tables.Groups, [...stored, ...(known?.archivedGroups ?? [])], problems)
    : stored
  const refs = groups.map(({ ref }) => ref)
  const vehicles = rowsByGroup(tables.Vehicles, 'assets', refs, problems)
  const rates = rowsByGroup(tables.Rates, 'rates', refs, problems)
  const assets = stored.flatMap((group) => group.assets)
  const blocksOf = new Map(assets.map(({ ref, blocks }) => [foldRef(ref), blocks]))
  const vehicleOf = ({ fields: { ref } }: GivenRow) => {
    return { ref, blocks: blocksOf.get(foldRef(String(ref))) ?? [] }
  }
  return groups.map((group, index) => ({
    ...group,
    assets: vehicles?.[index]?.map(vehicleOf) ?? group.assets,
    rates: rates
      ? matchStored(rates[index] ?? [], group.rates, ['validFrom', 'validTo'], problems)
      : group.rates,
  }))
}

/** Returns the groups of the sheet `Groups`, with their stored vehicles and rates. */
function groupRows(table: Table, stored: readonly KnownGroup[], problems: SheetProblems) {
  const groups = []
  for (const row of table.rows) {
    const given = problems.readFields(table, row, ['assetGroups', groups.length])
    const typed = normalizeLine(String(given['ref'] ?? ''))
    if (problems.isRepeated(row, 'ref', foldText(typed))) continue
    const before = stored.find(({ ref }) => foldText(ref) === foldText(typed))
    const ref = before?.ref ?? typed
    const fields: Fields = { ...before, ...nestTranslations(given, before?.translations) }
    groups.push({
      ...fields,
      ref,
      name: fields['name'] ?? ref,
      category: fields['category'] ?? 'car',
      assets: before?.assets ?? [],
      rates: before?.rates ?? [],
    })
  }
  return groups
}

/**
 * Returns the rows of each group, in the order of `refs`, or undefined without the sheet. A group
 * that does not exist is a problem.
 */
function rowsByGroup(
  table: Table | undefined,
  list: 'assets' | 'rates',
  refs: readonly string[],
  problems: SheetProblems,
): GivenRow[][] | undefined {
  if (table === undefined) return undefined
  const rows: GivenRow[][] = refs.map(() => [])
  const keys = refs.map(foldText)
  for (const row of table.rows) {
    const typed = normalizeLine(String(row.cell('group')?.value ?? ''))
    const index = keys.indexOf(foldText(typed))
    const ofGroup = rows[index]
    const path = ofGroup && ['assetGroups', index, list, ofGroup.length]
    const fields = problems.readFields(table, row, path)
    if (ofGroup === undefined) {
      problems.add(row, 'group', `"${typed}" is not a group${didYouMean(typed, refs)}`)
    }
    ofGroup?.push({ row, fields })
  }
  return rows
}

function extrasOf(
  table: Table | undefined,
  stored: ExportedFleet['extras'],
  problems: SheetProblems,
) {
  if (table === undefined) return [...stored]
  const given = table.rows.map((row, index) => {
    return { row, fields: problems.readFields(table, row, ['extras', index]) }
  })
  return matchStored(given, stored, [], problems)
}
