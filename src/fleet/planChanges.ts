import { randomUUID } from 'node:crypto'
import { type FleetPlan, type StoredFleet, toColumns } from './columns.ts'
import type { FleetFile } from './fleetFile.ts'
import type { FieldProblem, Locate } from './fleetFileError.ts'
import { matchRules } from './matchRows.ts'
import { planList } from './planList.ts'

/** A fleet file with the places of its fields. */
export interface LocatedFleet {
  readonly file: FleetFile
  readonly locate: Locate
  /**
   * A workbook has no blocks, and the stored ones stay. Its groups, rates and extras have the ids of
   * the stored ones that they match.
   */
  readonly isWorkbook?: boolean
  /** The number of the fleet's state that a workbook carries. */
  readonly state?: number | undefined
}

/**
 * Returns the changes that an import makes. `problems` of each list has the fields of the file that
 * cannot be used.
 */
export function planChanges(
  stored: StoredFleet,
  file: FleetFile,
  { isWorkbook = false }: Pick<LocatedFleet, 'isWorkbook'> = {},
): FleetPlan {
  const { currency } = file.tenant
  const rules = isWorkbook ? undefined : { ...matchRules, rates: matchRules.rates() }
  const id = stored.tenant?.id ?? randomUUID()
  const own = { id, path: [], content: toColumns.tenant(file.tenant) }
  const former = stored.tenant === undefined ? [] : [stored.tenant]
  const tenant = { ...planList(former, [own], [{ keyOf: () => 'tenant' }]), ...own }
  const wantedGroups = wanted(file.assetGroups, ['assetGroups'], (group) =>
    toColumns.groups(group, currency),
  )
  const groups = planList(stored.groups, wantedGroups, rules?.groups)
  const wantedAssets = groups.rows.flatMap(({ id, path, entry }) =>
    wanted(entry.assets, [...path, 'assets'], (asset) => toColumns.assets(asset, id)),
  )
  const assets = planList(stored.assets, wantedAssets, matchRules.assets)
  const wantedBlocks = assets.rows.flatMap(({ id, path, entry }) =>
    entry.blocks.map((block) => ({ path, content: toColumns.blocks(block, id) })),
  )
  const planned = planList(isWorkbook ? [] : stored.blocks, wantedBlocks, matchRules.blocks)
  // Imports never archive the blocks that staff set.
  const ofStaff = new Set(stored.blocks.filter((row) => row.content.blockedBy).map(({ id }) => id))
  const blocks = { ...planned, archive: planned.archive.filter((id) => !ofStaff.has(id)) }
  const wantedRates = groups.rows.flatMap(({ id, path, entry, content }) =>
    wanted(entry.rates, [...path, 'rates'], (rate) => toColumns.rates(rate, id, content.currency)),
  )
  const rates = planList(stored.rates, wantedRates, rules?.rates)
  const wantedExtras = wanted(file.extras, ['extras'], (extra) => toColumns.extras(extra, currency))
  const extras = planList(stored.extras, wantedExtras, rules?.extras)
  const problems = [...assets.problems, ...sameVehicles(stored.assets, assets.rows)]
  return { tenant, groups, assets: { ...assets, problems }, blocks, rates, extras }
}

/** Returns the entries of a list in the file, each with its path and its columns. */
const wanted = <Entry extends { ref: string; id?: string | undefined }, Content extends object>(
  entries: readonly Entry[],
  path: readonly PropertyKey[],
  toContent: (entry: Entry) => Content,
) =>
  entries.map((entry, index) => {
    return { id: entry.id, path: [...path, index], content: toContent(entry), entry }
  })

/** Yields vehicles that are one by their folded refs. Two that are stored with these refs stay two. */
function* sameVehicles(
  stored: StoredFleet['assets'],
  rows: readonly Pick<ReturnType<typeof wanted>[number], 'path'>[] & FleetPlan['assets']['rows'],
): Generator<FieldProblem> {
  const storedRefs = new Set(stored.map(({ content }) => content.ref))
  const firsts = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const { ref, foldedRef } = row.content
    const first = firsts.get(foldedRef)
    firsts.set(foldedRef, first ?? row)
    if (first === undefined || (storedRefs.has(ref) && storedRefs.has(first.content.ref))) continue
    const message = `"${ref}" is already used at {first}`
    yield { path: [...row.path, 'ref'], message, first: [...first.path, 'ref'] }
  }
}
