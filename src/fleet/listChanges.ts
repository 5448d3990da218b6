import { isDeepStrictEqual } from 'node:util'
import { type FleetPlan, type StoredFleet, toFileFormat } from './columns.ts'
import { describeHours } from './describeHours.ts'
import { extraFields, type FleetField, rateFields } from './fields.ts'
import { contentById, type ListPlan, type Stored } from './planList.ts'
import { flattenTranslations } from './translatedTexts.ts'

/** A change that an import makes. A changed row has one `FleetChange` per field. */
export interface FleetChange {
  /** `restored` means that an archived row is active again. */
  readonly change: 'created' | 'changed' | 'restored' | 'archived'
  readonly kind: 'tenant' | 'group' | 'vehicle' | 'block' | 'rate' | 'extra'
  /** Refs from the group on, such as `economy / EL 12345`. */
  readonly name: string
  readonly field: string | null
  readonly from: unknown
  /** For a new row its prices and dates. */
  readonly to: unknown
}

/** Returns the changes that a plan makes to a stored fleet, in the order of the fleet file. */
export function listChanges(stored: StoredFleet, plan: FleetPlan): FleetChange[] {
  const groupsById = contentById([...stored.groups, ...plan.groups.rows])
  const groupOf = (id: string) =>
    groupsById.get(id) ?? { ref: '?', currency: plan.tenant.content.currency }
  const assetsById = contentById([...stored.assets, ...plan.assets.rows])
  const nameOf = (asset?: { readonly assetGroupId: string; readonly ref: string }) =>
    asset === undefined ? '?' : `${groupOf(asset.assetGroupId).ref} / ${asset.ref}`
  const tenant = stored.tenant === undefined ? [] : [stored.tenant]
  // Old amounts are formatted in the group's old currency, new ones in its new currency.
  const groupsBefore = contentById(stored.groups)
  const { groups, assets, blocks, rates, extras } = stored
  return [
    ...changesOf('tenant', tenant, plan.tenant, (own) => [own.name, describeTenant(own)]),
    ...changesOf('group', groups, plan.groups, (group) => [group.ref, toFileFormat.groups(group)]),
    ...changesOf('vehicle', assets, plan.assets, (asset) => [
      nameOf(asset),
      { group: groupOf(asset.assetGroupId).ref, ref: asset.ref },
    ]),
    ...changesOf('block', blocks, plan.blocks, (block) => {
      const { from, to, reason } = toFileFormat.blocks(block)
      const vehicle = nameOf(assetsById.get(block.assetId))
      return [`${vehicle} / ${from} – ${to}${reason === null ? '' : ` ${reason}`}`, { vehicle }]
    }),
    ...changesOf('rate', rates, plan.rates, (rate, isStored) => {
      const group = groupOf(rate.assetGroupId)
      const { currency } = (isStored ? groupsBefore.get(rate.assetGroupId) : undefined) ?? group
      return [`${group.ref} / ${rate.ref}`, toFileFormat.rates(rate, currency)]
    }),
    ...changesOf('extra', extras, plan.extras, (extra) => [extra.ref, toFileFormat.extras(extra)]),
  ]
}

/** Describes lists of hours entry by entry, because a list as a whole is not readable. */
function describeTenant(own: FleetPlan['tenant']['content']) {
  const { openingHours, specialDays, ...fields } = toFileFormat.tenant(own)
  return { ...fields, ...describeHours({ openingHours, specialDays }) }
}

function changesOf<Content>(
  kind: FleetChange['kind'],
  stored: readonly Stored<Content>[],
  { create, update, archive }: Pick<ListPlan<Content>, 'create' | 'update' | 'archive'>,
  describe: (
    content: Content,
    isStored: boolean,
  ) => readonly [name: string, fields: Readonly<Record<string, unknown>>],
): FleetChange[] {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const newRow = (change: 'created' | 'restored', content: Content): FleetChange => {
    const [name, fields] = describe(content, false)
    return { ...rowChange(change, name), to: pricesAndDates(fields) }
  }
  const rowChange = (change: FleetChange['change'], name: string): FleetChange => {
    return { change, kind, name, field: null, from: null, to: null }
  }
  const changed = update.flatMap(({ id, content }) => {
    const before = storedById.get(id)
    const [name, fields] = describe(content, false)
    if (before === undefined || before.archived) return [newRow('restored', content)]
    const [, old] = describe(before.content, true)
    const [from, to] = [flattenTranslations(old), flattenTranslations(fields)]
    return Object.keys({ ...to, ...from })
      .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
      .filter((each) => !isDeepStrictEqual(each.from, each.to))
      .map((each) => ({ ...rowChange('changed', name), ...each }))
  })
  return [
    ...create.map(({ content }) => newRow('created', content)),
    ...changed,
    ...archive
      .flatMap((id) => storedById.get(id) ?? [])
      .map(({ content }) => rowChange('archived', describe(content, true)[0])),
  ]
}

const shownFields = Object.entries<FleetField>({ ...rateFields, ...extraFields })
  .filter(([, { kind }]) => kind === 'amount' || kind === 'date')
  .map(([name]) => name)

/** Returns the amounts and dates of a new row, which a mistyped cell makes wrong; null without. */
function pricesAndDates(fields: Readonly<Record<string, unknown>>) {
  const given = shownFields.filter((name) => (fields[name] ?? null) !== null)
  return given.length === 0 ? null : Object.fromEntries(given.map((name) => [name, fields[name]]))
}
