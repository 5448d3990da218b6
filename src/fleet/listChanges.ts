import { type FleetPlan, formOf, type StoredFleet } from './contents.ts'
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
  const groupsById = contentById([...stored.groups, ...plan.groups.rows])
  const groupOf = (id: string) =>
    groupsById.get(id) ?? { ref: '?', currency: plan.tenant.content.currency }
  const assetsById = contentById([...stored.assets, ...plan.assets.rows])
  const assetName = (id: string) => {
    const asset = assetsById.get(id)
    return asset === undefined ? '?' : `${groupOf(asset.assetGroupId).ref} / ${asset.ref}`
  }
  const before = stored.tenant === undefined ? [] : [stored.tenant]
  // A rate's amounts are in the currency that its group had, and then has.
  const groupsBefore = contentById(stored.groups)
  const { groups, assets, blocks, rates, extras } = stored
  return [
    ...changesOf('tenant', before, plan.tenant, ({ content }) => [
      content.name,
      formOf.tenant(content),
    ]),
    ...changesOf('group', groups, plan.groups, ({ content }) => [
      content.ref,
      formOf.groups(content),
    ]),
    ...changesOf('vehicle', assets, plan.assets, ({ id }) => [assetName(id), {}]),
    ...changesOf('block', blocks, plan.blocks, ({ content }) => {
      const { from, to, reason } = formOf.blocks(content)
      const vehicle = assetName(content.assetId)
      return [`${vehicle} / ${from} – ${to}${reason === null ? '' : ` ${reason}`}`, { vehicle }]
    }),
    ...changesOf('rate', rates, plan.rates, ({ content }, isStored) => {
      const group = groupOf(content.assetGroupId)
      const own = isStored ? groupsBefore.get(content.assetGroupId)?.currency : undefined
      return [`${group.ref} / ${content.ref}`, formOf.rates(content, own ?? group.currency)]
    }),
    ...changesOf('extra', extras, plan.extras, ({ content }) => [
      content.ref,
      formOf.extras(content),
    ]),
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
  ) => readonly [name: string, fields: Readonly<Record<string, unknown>>],
): FleetChange[] {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const whole = (change: FleetChange['change'], name: string): FleetChange => {
    return { change, kind, name, field: null, from: null, to: null }
  }
  const changed = update.flatMap((row) => {
    const before = storedById.get(row.id)
    const [name, fields] = describe(row, false)
    if (before === undefined || before.archived) return [whole('restored', name)]
    const [, old] = describe(before, true)
    return Object.entries(fields)
      .filter(([field, to]) => old[field] !== to)
      .map(([field, to]) => ({ ...whole('changed', name), field, from: old[field], to }))
  })
  const leaving = new Set(archive)
  return [
    ...create.map((row) => whole('created', describe(row, false)[0])),
    ...changed,
    ...stored
      .filter(({ id }) => leaving.has(id))
      .map((row) => whole('archived', describe(row, true)[0])),
  ]
}
