import { extraContent, groupContent, rateContent, tenantContent } from './contents.ts'
import type { FleetFile } from './fleetFile.ts'
import { type Placed, planList, type Wanted } from './planList.ts'
import type {
  BlockContent,
  ExtraContent,
  FleetPlan,
  GroupContent,
  RateContent,
  StoredFleet,
  TenantContent,
} from './rows.ts'

/** Joins the parts of a key with what no part can contain. */
const keyOf = (...parts: readonly unknown[]) => parts.join('\u0000')

/**
 * What an import has to change: everything is matched by `ref` within its list, blocks by what they
 * say. Problems with the ids a file gives are left in the plan's lists.
 */
export function planChanges(stored: StoredFleet, file: FleetFile, newId: () => string): FleetPlan {
  const { currency } = file.tenant
  const tenant = planTenant(stored.tenant, tenantContent(file.tenant), newId)
  const byRef = { keyOf: ({ ref }: { ref: string }) => ref, newId }
  const byGroupAndRef = {
    keyOf: ({ assetGroupId, ref }: { assetGroupId: string; ref: string }) =>
      keyOf(assetGroupId, ref),
    newId,
  }
  const groups = planList<GroupContent>(
    stored.groups,
    file.assetGroups.map((group, index) => ({
      id: group.id,
      idPath: `assetGroups[${index}].id`,
      content: groupContent(group, currency),
    })),
    byRef,
  )
  const assets = planList(stored.assets, wantedAssets(file, groups.rows), byGroupAndRef)
  const rates = planList<RateContent>(stored.rates, wantedRates(file, groups.rows), byGroupAndRef)
  const blocks = planList(stored.blocks, wantedBlocks(file, assets.rows), {
    keyOf: blockKey,
    newId,
  })
  const extras = planList<ExtraContent>(
    stored.extras,
    file.extras.map((extra, index) => ({
      id: extra.id,
      idPath: `extras[${index}].id`,
      content: extraContent(extra, currency),
    })),
    byRef,
  )
  return { tenant, groups, assets, blocks, rates, extras }
}

function planTenant(
  stored: StoredFleet['tenant'],
  content: TenantContent,
  newId: () => string,
): FleetPlan['tenant'] {
  const list = stored === undefined ? [] : [{ ...stored, archived: false }]
  const rules = { keyOf: () => 'the tenant', newId }
  const plan = planList<TenantContent>(list, [{ idPath: 'tenant', content }], rules)
  const [row] = plan.rows
  if (row === undefined) throw new Error('Bug: the tenant has no row')
  if (plan.create.length > 0) return { ...row, change: 'create' }
  return { ...row, change: plan.update.length > 0 ? 'update' : 'none' }
}

type Groups = readonly Placed<GroupContent>[]

function wantedAssets(file: FleetFile, groups: Groups) {
  return file.assetGroups.flatMap(({ assets }, groupIndex) => {
    const assetGroupId = idAt(groups, groupIndex)
    return assets.map(({ ref }) => ({ idPath: '', content: { assetGroupId, ref } }))
  })
}

function wantedRates(file: FleetFile, groups: Groups) {
  return file.assetGroups.flatMap((group, groupIndex) => {
    const assetGroupId = idAt(groups, groupIndex)
    const currency = group.currency ?? file.tenant.currency
    return group.rates.map((rate, index) => ({
      id: rate.id,
      idPath: `assetGroups[${groupIndex}].rates[${index}].id`,
      content: rateContent(rate, assetGroupId, currency),
    }))
  })
}

function wantedBlocks(file: FleetFile, assets: readonly Placed<unknown>[]): Wanted<BlockContent>[] {
  const fileAssets = file.assetGroups.flatMap((group) => group.assets)
  return fileAssets.flatMap(({ blocks }, index) =>
    blocks.map(({ from, to, reason }) => ({
      idPath: '',
      content: { assetId: idAt(assets, index), startsAt: from, endsAt: to, reason },
    })),
  )
}

function blockKey({ assetId, startsAt, endsAt, reason }: BlockContent): string {
  return keyOf(assetId, Number(startsAt), Number(endsAt), reason ?? '')
}

function idAt(rows: readonly Placed<unknown>[], index: number): string {
  const row = rows[index]
  if (row === undefined) throw new Error('Bug: a row of the file was not planned')
  return row.id
}
