import type { FleetPlan, StoredFleet } from './contents.ts'
import { blockForm, extraForm, groupForm, rateForm, tenantForm } from './fileForm.ts'
import type { ListPlan, Placed, Stored } from './planList.ts'

/** One thing that an import does; of what is changed, a line for each field. */
export interface FleetChange {
  /** `restored`: it was archived, and comes back. */
  readonly change: 'created' | 'changed' | 'restored' | 'archived'
  readonly kind: 'tenant' | 'group' | 'vehicle' | 'block' | 'rate' | 'extra'
  /** Refs from the group on, such as `economy / EL 12345`. */
  readonly name: string
  readonly field: string | null
  readonly from: unknown
  readonly to: unknown
}

/** What a plan does to a stored fleet, in the words of the fleet file and in its order. */
export function listChanges(stored: StoredFleet, plan: FleetPlan): FleetChange[] {
  const groups = contentById([...stored.groups, ...plan.groups.rows])
  const groupOf = (id: string) =>
    groups.get(id) ?? { ref: '?', currency: plan.tenant.content.currency }
  const assets = contentById([...stored.assets, ...plan.assets.rows])
  const assetName = (id: string) => {
    const asset = assets.get(id)
    return asset === undefined ? '?' : `${groupOf(asset.assetGroupId).ref} / ${asset.ref}`
  }
  const before = stored.tenant === undefined ? [] : [stored.tenant]
  // A rate's amounts are in the currency that its group had, and then has.
  const groupsBefore = contentById(stored.groups)
  return [
    ...changesOf('tenant', before, plan.tenant, (row) => ({
      name: row.content.name,
      fields: tenantForm(row.content),
    })),
    ...changesOf('group', stored.groups, plan.groups, (row) => ({
      name: row.content.ref,
      fields: groupForm(row.content),
    })),
    ...changesOf('vehicle', stored.assets, plan.assets, ({ id }) => ({
      name: assetName(id),
      fields: {},
    })),
    ...changesOf('block', stored.blocks, plan.blocks, (row) => {
      const { from, to, reason } = blockForm(row.content)
      const name = `${assetName(row.content.assetId)} / ${from} – ${to}`
      const fields = { vehicle: assetName(row.content.assetId) }
      return { name: reason === null ? name : `${name} ${reason}`, fields }
    }),
    ...changesOf('rate', stored.rates, plan.rates, (row, isStored) => {
      const group = groupOf(row.content.assetGroupId)
      const own = isStored ? groupsBefore.get(row.content.assetGroupId)?.currency : undefined
      const fields = rateForm(row.content, own ?? group.currency)
      return { name: `${group.ref} / ${row.content.ref}`, fields }
    }),
    ...changesOf('extra', stored.extras, plan.extras, (row) => ({
      name: row.content.ref,
      fields: extraForm(row.content),
    })),
  ]
}

const contentById = <Content>(rows: readonly Placed<Content>[]) =>
  new Map(rows.map(({ id, content }) => [id, content]))

function changesOf<Content>(
  kind: FleetChange['kind'],
  stored: readonly Stored<Content>[],
  { create, update, archive }: Pick<ListPlan<Content>, 'create' | 'update' | 'archive'>,
  describe: (
    row: Placed<Content>,
    isStored: boolean,
  ) => { name: string; fields: Readonly<Record<string, unknown>> },
): FleetChange[] {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const whole = (change: FleetChange['change'], name: string): FleetChange => {
    return { change, kind, name, field: null, from: null, to: null }
  }
  const changed = update.flatMap((row) => {
    const before = storedById.get(row.id)
    const { name, fields } = describe(row, false)
    if (before === undefined || before.archived) return [whole('restored', name)]
    const old = describe(before, true).fields
    return Object.entries(fields)
      .filter(([field, to]) => old[field] !== to)
      .map(([field, to]) => ({ ...whole('changed', name), field, from: old[field], to }))
  })
  return [
    ...create.map((row) => whole('created', describe(row, false).name)),
    ...changed,
    ...archive.flatMap((id) => {
      const row = storedById.get(id)
      return row === undefined ? [] : [whole('archived', describe(row, true).name)]
    }),
  ]
}
