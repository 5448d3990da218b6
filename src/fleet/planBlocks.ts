import { type BlockContent, blockContent, type StoredBlock, type StoredFleet } from './contents.ts'
import { blockForm } from './fileForm.ts'
import type { FleetFile } from './fleetFile.ts'
import { type ListPlan, planList, type Stored } from './planList.ts'
import type { FleetProblem } from './problems.ts'

type Assets = Pick<ListPlan<{ readonly ref: string }>, 'rows'>

const blockKeyOf = ({ assetId, startsAt, endsAt, reason }: BlockContent) =>
  [assetId, Number(startsAt), Number(endsAt), reason ?? ''].join('\u0000')

/**
 * What an import does to blocks, which are matched by what they say. Those of staff are theirs to
 * unblock: they stay, and follow a vehicle that comes under another group (decisions 402, 474).
 */
export function planBlocks(
  stored: StoredFleet,
  file: FleetFile,
  assets: Assets,
  newId: () => string,
): ListPlan<BlockContent> {
  const { blocks, moved, problems } = followVehicles(stored, file, assets)
  const wanted = file.assetGroups
    .flatMap((group) => group.assets)
    .flatMap((asset, index) =>
      asset.blocks.map((block) => ({
        idPath: '',
        content: blockContent(block, assets.rows[index]?.id ?? ''),
      })),
    )
  const plan = planList(blocks, wanted, { keyOf: blockKeyOf, newId })
  const ofStaff = new Set(
    blocks.filter(({ content }) => content.blockedBy !== null).map(({ id }) => id),
  )
  return {
    ...plan,
    update: [...plan.update, ...moved],
    archive: plan.archive.filter((id) => !ofStaff.has(id)),
    problems,
  }
}

/** The stored blocks with those of staff at the vehicles they belong to after the import. */
function followVehicles(stored: StoredFleet, file: FleetFile, { rows }: Assets) {
  const moved: Stored<StoredBlock>[] = []
  const problems: FleetProblem[] = []
  const staying = new Set(rows.map(({ id }) => id))
  const standing = stored.blocks.filter(
    ({ archived, content }) =>
      !archived && content.blockedBy !== null && !content.over && !staying.has(content.assetId),
  )
  const blocked = new Set(standing.map(({ content }) => content.assetId))
  const inService = new Set(stored.assets.filter(({ archived }) => !archived).map(({ id }) => id))
  const coming = placesOf(file, rows).filter(({ id }) => !inService.has(id))
  const gone = stored.assets.filter(
    ({ id }) => !staying.has(id) && (inService.has(id) || blocked.has(id)),
  )
  for (const block of standing) {
    const ref = gone.find(({ id }) => id === block.content.assetId)?.content.ref
    const [to, ...others] = coming.filter((asset) => asset.ref === ref)
    if (to === undefined) continue
    if (others.length === 0 && gone.filter(({ content }) => content.ref === ref).length === 1) {
      moved.push({ ...block, content: { ...block.content, assetId: to.id } })
    } else {
      const { from, to: until } = blockForm(block.content)
      const what = `${block.content.blockedBy} blocked a vehicle of this ref from ${from} to ${until}`
      const which = 'and the file moves several: move one at a time, or unblock it first'
      problems.push({ path: to.path, message: `${what}, ${which}` })
    }
  }
  const movedById = new Map(moved.map((block) => [block.id, block]))
  return { blocks: stored.blocks.map((block) => movedById.get(block.id) ?? block), moved, problems }
}

const placesOf = (file: FleetFile, rows: Assets['rows']) =>
  file.assetGroups
    .flatMap(({ assets }, group) =>
      assets.map(({ ref }, index) => ({ ref, path: `assetGroups[${group}].assets[${index}].ref` })),
    )
    .map((place, row) => ({ ...place, id: rows[row]?.id ?? '' }))
