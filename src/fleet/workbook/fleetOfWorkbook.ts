import { foldRef, foldText } from '../../domain/foldText.ts'
import { groupBy } from '../../domain/groupBy.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { normalizeLine } from '../../input/fields.ts'
import { describeIssue } from '../../input/issues.ts'
import type { ExportedFleet } from '../columns.ts'
import { type FleetFile, fleetFile } from '../fleetFile.ts'
import { FleetFileError, formatPath } from '../fleetFileError.ts'
import { nestTranslations } from '../translatedTexts.ts'
import type { Row, Table, Tables } from './readWorkbook.ts'
import { SheetProblems } from './sheetProblems.ts'
import { type Columns, sheets } from './sheets.ts'

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

/** Returns the terms that the sheet `Company` has. An empty value is null. */
function companyOf(table: Table | undefined, problems: SheetProblems): Fields {
  const columns: Columns = sheets.Company
  for (const [field, { title }] of Object.entries(columns)) {
    problems.place(['tenant', field], `Company, ${title}`)
  }
  const titles = Object.values(columns).map(({ title }) => title)
  const fields: Record<string, unknown> = {}
  for (const row of table?.rows ?? []) {
    const setting = normalizeLine(String(row.cell('setting')?.value ?? ''))
    const [field, column] =
      Object.entries(columns).find(([, { title }]) => foldText(title) === foldText(setting)) ?? []
    if (field === undefined || column === undefined) {
      const choice = didYouMean(setting, titles) || `: the settings are ${titles.join(', ')}`
      problems.add(row, 'setting', `"${setting}" is not a setting${choice}`)
    } else if (field in fields) {
      problems.add(row, 'setting', `repeats the setting ${setting}`)
    } else {
      fields[field] = problems.read(row, 'value', column, ['tenant', field]) ?? null
    }
  }
  return fields
}

function groupsOf(tables: Tables, known: KnownFleet | undefined, problems: SheetProblems) {
  const stored = known?.fleet.assetGroups ?? []
  const groups = tables.Groups?.rows.map((row, index) => {
    const path = ['assetGroups', index]
    const given = problems.readFields(tables.Groups as Table, row, path)
    const ref = typeof given['ref'] === 'string' ? normalizeLine(given['ref']) : ''
    const before = [...stored, ...(known?.archivedGroups ?? [])].find((each) => each.ref === ref)
    const { name, category, turnaroundMinutes, currency, ...others }: Fields & Partial<KnownGroup> =
      {
        ...before,
        ...nestTranslations(given, before?.translations),
      }
    return {
      ...others,
      ref,
      name: name ?? ref,
      category: category ?? 'car',
      turnaroundMinutes: turnaroundMinutes ?? 0,
      currency: currency ?? undefined,
      assets: before?.assets ?? [],
      rates: before?.rates ?? [],
    }
  })
  const current = groups ?? stored
  const refs = current.map(({ ref }) => ref)
  const vehiclesIn = tables.Vehicles && rowsByGroup(tables.Vehicles, 'Vehicles', refs, problems)
  const ratesIn = tables.Rates && rowsByGroup(tables.Rates, 'Rates', refs, problems)
  const assets = (known?.fleet.assetGroups ?? []).flatMap((group) => group.assets)
  const blocksOf = new Map(assets.map(({ ref, blocks }) => [foldRef(ref), blocks]))
  return current.map((group, index) => {
    const path = ['assetGroups', index]
    // A group that is listed twice is an error. Only its first entry gets the rows.
    if (refs.indexOf(group.ref) < index) return { ...group, id: undefined, assets: [], rates: [] }
    return {
      ...group,
      assets:
        vehiclesIn?.(group.ref).map((row, at) => vehicleOf(row, [...path, 'assets', at])) ??
        group.assets,
      rates: ratesIn ? ratesOf(ratesIn(group.ref), [...path, 'rates'], group.rates) : group.rates,
    }
  })

  function vehicleOf(row: Row, path: readonly PropertyKey[]) {
    const ref = problems.read(row, 'ref', sheets.Vehicles.ref, [...path, 'ref'])
    return { ref, blocks: blocksOf.get(foldRef(String(ref))) ?? [] }
  }

  function ratesOf(
    rows: readonly Row[],
    path: readonly PropertyKey[],
    before: KnownGroup['rates'],
  ) {
    const given = rows.map((row, at) => {
      const { group: _, ...fields } = problems.readFields(tables.Rates as Table, row, [...path, at])
      return { row, fields: { ...fields, name: fields['name'] ?? 'Standard' } }
    })
    return matchStored(given, before, ['validFrom', 'validTo'], problems)
  }
}

/** Returns the rows by group. A group that does not exist is a problem. */
function rowsByGroup(
  table: Table,
  name: 'Vehicles' | 'Rates',
  refs: readonly string[],
  problems: SheetProblems,
) {
  const groupOf = new Map<Row, string>()
  for (const row of table.rows) {
    const read = problems.read(row, 'group', sheets[name].group)
    const ref = typeof read === 'string' ? normalizeLine(read) : undefined
    if (ref !== undefined && refs.includes(ref)) {
      groupOf.set(row, ref)
      continue
    }
    if (ref !== undefined) {
      problems.add(row, 'group', `"${ref}" is not a group${didYouMean(ref, refs)}`)
    }
    // The other cells may have problems, too.
    problems.readFields(table, row)
  }
  const rows = groupBy([...groupOf], ([, ref]) => ref)
  return (ref: string) => rows(ref).map(([row]) => row)
}

function extrasOf(
  table: Table | undefined,
  stored: ExportedFleet['extras'],
  problems: SheetProblems,
) {
  if (table === undefined) return [...stored]
  const given = table.rows.map((row, index) => {
    const fields = problems.readFields(table, row, ['extras', index])
    // Without the column, the stored currency stays. An empty cell means the company's.
    if (fields['currency'] === null) fields['currency'] = undefined
    return { row, fields }
  })
  return matchStored(given, stored, [], problems)
}

interface GivenRow {
  readonly row: Row
  readonly fields: Fields
}

/**
 * Returns the rows with the `ref`, the `id` and the missing fields of their stored entries: the one
 * with the same `ref`, else with the same name and `dates`, else with the same name if that is the
 * only one of both. Other rows are new, with a `ref` made from the name.
 */
function matchStored<Stored extends Pick<KnownGroup, 'ref' | 'name' | 'translations'>>(
  given: readonly GivenRow[],
  stored: readonly Stored[],
  dates: readonly ('validFrom' | 'validTo')[],
  problems: SheetProblems,
) {
  const free = new Set(stored)
  const used = new Set(stored.map(({ ref }) => ref))
  const nameOf = ({ fields }: GivenRow) => normalizeLine(String(fields['name']))
  const rowsOf = groupBy(given, nameOf)
  const take = (found: Stored | undefined) => {
    if (found !== undefined) free.delete(found)
    return found
  }
  const exact = new Map(
    given.map((row) => {
      const { fields } = row
      const hasDates = dates.every((date) => fields[date] !== undefined)
      const same = [...free].find((each: Stored & Fields) =>
        fields['ref']
          ? each.ref === fields['ref']
          : each.name === nameOf(row) &&
            (!hasDates || dates.every((date) => each[date] === fields[date])),
      )
      return [row, take(same)] as const
    }),
  )
  const seen = new Map<string, Row>()
  return given.map((entry) => {
    const { row, fields } = entry
    const name = nameOf(entry)
    const key = JSON.stringify([name, ...dates.map((date) => fields[date])])
    const first = seen.get(key)
    if (first !== undefined && !fields['ref']) {
      problems.add(row, 'name', `repeats ${first.address('name')}`)
    }
    seen.set(key, row)
    const [only, ...others] = [...free].filter((each) => each.name === name)
    const isOnly = others.length === 0 && rowsOf(name).length === 1 && !fields['ref']
    const before = exact.get(entry) ?? take(isOnly ? only : undefined)
    const ref = before?.ref ?? fields['ref'] ?? newRef(name, used)
    return { ...before, ...nestTranslations(fields, before?.translations), name, ref }
  })
}

/** Returns a `ref` for a new entry: its name, with a number if the name is already used. */
function newRef(name: string, used: Set<string>): string {
  const base = foldText(name).replace(/\s+/g, '-') || 'standard'
  let ref = base
  for (let number = 2; used.has(ref); number += 1) ref = `${base}-${number}`
  used.add(ref)
  return ref
}
