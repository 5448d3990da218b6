import { randomUUID } from 'node:crypto'
import { type FleetPlan, type StoredFleet, toColumns, toFileFormat } from './columns.ts'
import type { FleetFile } from './fleetFile.ts'
import type { FleetProblem } from './fleetFileError.ts'
import { planList } from './planList.ts'

/** Joins the parts with NUL, which the database does not allow in text. */
const keyOf = ({ assetGroupId = '', ref }: { assetGroupId?: string; ref: string }) =>
  `${assetGroupId}\u0000${ref}`

/**
 * Returns the changes that an import makes. Rows are matched by `ref` within their list, blocks by
 * content. `problems` of each list has the ids of the file that cannot be used.
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
  const groups = planList(stored.groups, wantedGroups, keyOf)
  const wantedAssets = groups.rows.flatMap(({ id, path, entry }) =>
    wanted(entry.assets, `${path}.assets`, (asset) => toColumns.assets(asset, id)),
  )
  const assets = planList(stored.assets, wantedAssets, keyOf)
  const blocks = planBlocks(stored, assets.rows)
  const wantedRates = groups.rows.flatMap(({ id, path, entry, content }) =>
    wanted(entry.rates, `${path}.rates`, (rate) => toColumns.rates(rate, id, content.currency)),
  )
  const rates = planList(stored.rates, wantedRates, keyOf)
  const wantedExtras = wanted(file.extras, 'extras', (extra) => toColumns.extras(extra, currency))
  const extras = planList(stored.extras, wantedExtras, keyOf)
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

/** A vehicle of the file, with its stored or new id. */
interface PlannedAsset {
  readonly id: string
  readonly path: string
  readonly entry: FleetFile['assetGroups'][number]['assets'][number]
}

const blockKeyOf = ({ assetId, startsAt, endsAt, reason }: ReturnType<typeof toColumns.blocks>) =>
  [assetId, Number(startsAt), Number(endsAt), reason ?? ''].join('\u0000')

/**
 * Plans the changes to blocks. Blocks that staff created are never archived by an import, and move
 * with their vehicle to another group.
 */
function planBlocks(stored: StoredFleet, assets: readonly PlannedAsset[]): FleetPlan['blocks'] {
  const { moved, problems } = moveStaffBlocks(stored, assets)
  const blocks = stored.blocks.map((block) => moved.get(block.id) ?? block)
  const wantedBlocks = assets.flatMap(({ id, path, entry }) =>
    entry.blocks.map((block) => ({ path, content: toColumns.blocks(block, id) })),
  )
  const plan = planList(blocks, wantedBlocks, blockKeyOf)
  const ofStaff = new Set(
    blocks.filter(({ content }) => content.blockedBy !== null).map(({ id }) => id),
  )
  return {
    ...plan,
    update: [...plan.update, ...moved.values()],
    archive: plan.archive.filter((id) => !ofStaff.has(id)),
    problems,
  }
}

/** Returns the staff's blocks of vehicles that change their group, with the new vehicle id. */
function moveStaffBlocks(stored: StoredFleet, assets: readonly PlannedAsset[]) {
  const moved = new Map<string, StoredFleet['blocks'][number]>()
  const problems: FleetProblem[] = []
  const staying = new Set(assets.map(({ id }) => id))
  const movable = stored.blocks.filter(
    ({ archived, content }) =>
      !archived && content.blockedBy !== null && !content.over && !staying.has(content.assetId),
  )
  const inService = new Set(stored.assets.filter(({ archived }) => !archived).map(({ id }) => id))
  const arriving = assets.filter(({ id }) => !inService.has(id))
  for (const block of movable) {
    const ref = stored.assets.find(({ id }) => id === block.content.assetId)?.content.ref
    const [to, ...others] = arriving.filter(({ entry }) => entry.ref === ref)
    if (to === undefined) continue
    if (others.length === 0) {
      moved.set(block.id, { ...block, content: { ...block.content, assetId: to.id } })
    } else {
      const { from, to: until } = toFileFormat.blocks(block.content)
      const what = `${block.content.blockedBy} blocked a vehicle of this ref from ${from} to ${until}`
      const which =
        'and the file moves several vehicles of this ref: move one at a time, or unblock the vehicle first'
      problems.push({ path: `${to.path}.ref`, message: `${what}, ${which}` })
    }
  }
  return { moved, problems }
}
