import { randomUUID } from 'node:crypto'
import { type FleetPlan, type StoredFleet, toColumns, toFileFormat } from './columns.ts'
import type { FleetFile } from './fleetFile.ts'
import type { FleetProblem } from './fleetFileError.ts'
import { planList } from './planList.ts'

/** The parts are joined by NUL, which none can contain. */
const keyOf = ({ assetGroupId = '', ref }: { assetGroupId?: string; ref: string }) =>
  `${assetGroupId}\u0000${ref}`

/**
 * What an import has to change: everything is matched by `ref` within its list, blocks by what they
 * say. Problems with the ids a file gives are left in the plan's lists.
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

/** The entries of a list in the file, each with its place there and its columns. */
const wanted = <Entry extends { ref: string; id?: string | undefined }, Content extends object>(
  entries: readonly Entry[],
  path: string,
  toContent: (entry: Entry) => Content,
) =>
  entries.map((entry, index) => {
    return { id: entry.id, path: `${path}[${index}]`, content: toContent(entry), entry }
  })

/** A vehicle of the file, and the id that it has or gets. */
interface PlacedAsset {
  readonly id: string
  readonly path: string
  readonly entry: FleetFile['assetGroups'][number]['assets'][number]
}

const blockKeyOf = ({ assetId, startsAt, endsAt, reason }: ReturnType<typeof toColumns.blocks>) =>
  [assetId, Number(startsAt), Number(endsAt), reason ?? ''].join('\u0000')

/**
 * What an import does to blocks, which are matched by what they say. Those of staff are theirs to
 * unblock: they stay, and follow a vehicle that comes under another group (decisions 402, 474).
 */
function planBlocks(stored: StoredFleet, assets: readonly PlacedAsset[]): FleetPlan['blocks'] {
  const { moved, problems } = followVehicles(stored, assets)
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

/** Blocks of staff whose vehicle leaves its group, at the vehicles they belong to afterwards. */
function followVehicles(stored: StoredFleet, assets: readonly PlacedAsset[]) {
  const moved = new Map<string, StoredFleet['blocks'][number]>()
  const problems: FleetProblem[] = []
  const staying = new Set(assets.map(({ id }) => id))
  const standing = stored.blocks.filter(
    ({ archived, content }) =>
      !archived && content.blockedBy !== null && !content.over && !staying.has(content.assetId),
  )
  const inService = new Set(stored.assets.filter(({ archived }) => !archived).map(({ id }) => id))
  const arriving = assets.filter(({ id }) => !inService.has(id))
  for (const block of standing) {
    const ref = stored.assets.find(({ id }) => id === block.content.assetId)?.content.ref
    const [to, ...others] = arriving.filter(({ entry }) => entry.ref === ref)
    if (to === undefined) continue
    if (others.length === 0) {
      moved.set(block.id, { ...block, content: { ...block.content, assetId: to.id } })
    } else {
      const { from, to: until } = toFileFormat.blocks(block.content)
      const what = `${block.content.blockedBy} blocked a vehicle of this ref from ${from} to ${until}`
      const which = 'and the file moves several: move one at a time, or unblock it first'
      problems.push({ path: `${to.path}.ref`, message: `${what}, ${which}` })
    }
  }
  return { moved, problems }
}
