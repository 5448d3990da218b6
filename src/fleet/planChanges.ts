import { randomUUID } from 'node:crypto'
import { type FleetPlan, type StoredFleet, toColumns } from './columns.ts'
import type { FleetFile } from './fleetFile.ts'
import { planList } from './planList.ts'

/** Returns the key of a row. NUL, which the database does not allow in text, joins the parts. */
const keyBy =
  <Name extends string>(...names: readonly Name[]) =>
  (content: Readonly<Record<Name, unknown>>) =>
    names.map((name) => content[name]).join('\u0000')

/**
 * Returns the changes that an import makes. Rows are matched by `ref` within their list, vehicles
 * within the tenant, blocks by content. A rate or an extra with a new `ref` is the one of the same
 * name (and dates) whose `ref` the file no longer has. `problems` of each list has the ids of the
 * file that cannot be used.
 */
export function planChanges(stored: StoredFleet, file: FleetFile): FleetPlan {
  const { currency } = file.tenant
  const id = stored.tenant?.id ?? randomUUID()
  const own = { id, path: '', content: toColumns.tenant(file.tenant) }
  const former = stored.tenant === undefined ? [] : [stored.tenant]
  const tenant = { ...planList(former, [own], () => ''), ...own }
  const wantedGroups = wanted(file.assetGroups, 'assetGroups', (group) =>
    toColumns.groups(group, currency),
  )
  const groups = planList(stored.groups, wantedGroups, keyBy('ref'))
  const wantedAssets = groups.rows.flatMap(({ id, path, entry }) =>
    wanted(entry.assets, `${path}.assets`, (asset) => toColumns.assets(asset, id)),
  )
  const assets = planList(stored.assets, wantedAssets, keyBy('foldedRef'))
  const wantedBlocks = assets.rows.flatMap(({ id, path, entry }) =>
    entry.blocks.map((block) => ({ path, content: toColumns.blocks(block, id) })),
  )
  const planned = planList(stored.blocks, wantedBlocks, blockKeyOf)
  // Imports never archive the blocks that staff set.
  const ofStaff = new Set(stored.blocks.filter((row) => row.content.blockedBy).map(({ id }) => id))
  const blocks = { ...planned, archive: planned.archive.filter((id) => !ofStaff.has(id)) }
  const wantedRates = groups.rows.flatMap(({ id, path, entry, content }) =>
    wanted(entry.rates, `${path}.rates`, (rate) => toColumns.rates(rate, id, content.currency)),
  )
  const rates = planList(
    stored.rates,
    wantedRates,
    keyBy('assetGroupId', 'ref'),
    keyBy('assetGroupId', 'name', 'validFrom', 'validTo'),
  )
  const wantedExtras = wanted(file.extras, 'extras', (extra) => toColumns.extras(extra, currency))
  const extras = planList(stored.extras, wantedExtras, keyBy('ref'), keyBy('name'))
  return { tenant, groups, assets, blocks, rates, extras }
}

/** Returns the entries of a list in the file, each with its path and its columns. */
const wanted = <Entry extends { ref: string; id?: string | undefined }, Content extends object>(
  entries: readonly Entry[],
  path: string,
  toContent: (entry: Entry) => Content,
) =>
  entries.map((entry, index) => {
    return { id: entry.id, path: `${path}[${index}]`, content: toContent(entry), entry }
  })

const blockKeyOf = ({ assetId, startsAt, endsAt, reason }: ReturnType<typeof toColumns.blocks>) =>
  [assetId, Number(startsAt), Number(endsAt), reason ?? ''].join('\u0000')
