import {
  assetContent,
  extraContent,
  type FleetPlan,
  groupContent,
  rateContent,
  type StoredFleet,
  type TenantContent,
  tenantContent,
} from './contents.ts'
import type { FleetFile } from './fleetFile.ts'
import { planBlocks } from './planBlocks.ts'
import { planList } from './planList.ts'

const refOf = ({ ref }: { ref: string }) => ref
/** No part of a key can contain what joins them. */
const groupAndRefOf = ({ assetGroupId, ref }: { assetGroupId: string; ref: string }) =>
  `${assetGroupId}\u0000${ref}`

/**
 * What an import has to change: everything is matched by `ref` within its list, blocks by what they
 * say. Problems with the ids a file gives are left in the plan's lists.
 */
export function planChanges(stored: StoredFleet, file: FleetFile, newId: () => string): FleetPlan {
  const { currency } = file.tenant
  const tenant = planTenant(stored.tenant, tenantContent(file.tenant), newId)
  const wantedGroups = file.assetGroups.map((group, index) => ({
    id: group.id,
    idPath: `assetGroups[${index}].id`,
    content: groupContent(group, currency),
  }))
  const groups = planList(stored.groups, wantedGroups, { keyOf: refOf, newId })
  const groupId = (index: number) => {
    const row = groups.rows[index]
    if (row === undefined) throw new Error('Bug: a group of the file was not planned')
    return row.id
  }
  const wantedAssets = file.assetGroups.flatMap((group, index) =>
    group.assets.map((asset) => ({ idPath: '', content: assetContent(asset, groupId(index)) })),
  )
  const assets = planList(stored.assets, wantedAssets, { keyOf: groupAndRefOf, newId })
  const blocks = planBlocks(stored, file, assets, newId)
  const wantedRates = file.assetGroups.flatMap((group, groupIndex) =>
    group.rates.map((rate, index) => ({
      id: rate.id,
      idPath: `assetGroups[${groupIndex}].rates[${index}].id`,
      content: rateContent(rate, groupId(groupIndex), group.currency ?? currency),
    })),
  )
  const rates = planList(stored.rates, wantedRates, { keyOf: groupAndRefOf, newId })
  const wantedExtras = file.extras.map((extra, index) => ({
    id: extra.id,
    idPath: `extras[${index}].id`,
    content: extraContent(extra, currency),
  }))
  const extras = planList(stored.extras, wantedExtras, { keyOf: refOf, newId })
  return { tenant, groups, assets, blocks, rates, extras }
}

function planTenant(stored: StoredFleet['tenant'], content: TenantContent, newId: () => string) {
  const list = stored === undefined ? [] : [stored]
  const plan = planList(list, [{ idPath: 'tenant', content }], { keyOf: () => 'the tenant', newId })
  const [row] = plan.rows
  if (row === undefined) throw new Error('Bug: the tenant has no row')
  return { ...plan, ...row }
}
