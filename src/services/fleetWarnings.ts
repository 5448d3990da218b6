import { looseRef } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'
import { formatMoney } from '../domain/money.ts'
import { localDate } from '../domain/pricing/period.ts'
import { groupWarnings, isOrderOfMagnitude } from '../domain/rateCard.ts'
import type { FleetPlan, StoredFleet } from '../fleet/columns.ts'
import { contentById } from '../fleet/planList.ts'

/** The rows of a fleet that are in service, stored or planned. */
type ActiveFleet = { readonly tenant: { readonly content: { readonly timeZone: string } } } & {
  readonly [List in 'groups' | 'assets' | 'rates']: readonly Pick<
    FleetPlan[List]['rows'][number],
    'id' | 'content'
  >[]
}

/** Returns the active rows of a stored fleet, or undefined for an unknown tenant. */
export function activeFleet({ tenant, groups, assets, rates }: StoredFleet) {
  const active = <Row extends { readonly archived: boolean }>(rows: readonly Row[]) =>
    rows.filter(({ archived }) => !archived)
  return tenant && { tenant, groups: active(groups), assets: active(assets), rates: active(rates) }
}

/** Describes what of a fleet cannot be sold, is priced oddly, or is stored twice. */
export function fleetWarnings({ tenant, groups, assets, rates }: ActiveFleet, now: Date): string[] {
  const today = localDate(now, tenant.content.timeZone)
  const assetsOf = groupBy(assets, ({ content }) => content.assetGroupId)
  const ratesOf = groupBy(rates, ({ content }) => content.assetGroupId)
  const ofGroups = groups.flatMap(({ id, content: { ref, currency } }) => {
    const own = ratesOf(id).map(({ content }) => content)
    const twice = sharing(own, ({ validFrom, validTo }) => `${validFrom} to ${validTo}`)
    return [
      ...groupWarnings({ ref, currency, vehicles: assetsOf(id).length, rates: own }, today),
      ...twice.map((same) => `${ref}: ${refs(same)} have the same dates.`),
    ]
  })
  const vehicles = assets.map(({ content }) => content)
  const same = sharing(vehicles, ({ foldedRef }) => foldedRef)
  return ofGroups.concat(same.map((pair) => `${refs(pair)} are probably one vehicle.`))
}

const refs = (rows: readonly { readonly ref: string }[]) => rows.map(({ ref }) => ref).join(', ')

/** Returns the rows that share a key, for each key of several rows. */
function sharing<Row>(rows: readonly Row[], keyOf: (row: Row) => string): (readonly Row[])[] {
  const rowsOf = groupBy(rows, keyOf)
  return [...new Set(rows.map(keyOf))].map(rowsOf).filter(({ length }) => length > 1)
}

/** Describes prices that an import changes to a tenth or to ten times. */
export function priceJumps(stored: StoredFleet, plan: FleetPlan): string[] {
  const groups = contentById(plan.groups.rows)
  const before = new Map<string, object>([
    ...contentById(stored.rates),
    ...contentById(stored.extras),
  ])
  return [...plan.rates.update, ...plan.extras.update].flatMap(({ id, content }) => {
    const group = 'assetGroupId' in content ? groups.get(content.assetGroupId) : undefined
    const currency = 'currency' in content ? content.currency : (group?.currency ?? '')
    const name = group === undefined ? content.name : `${group.ref} / ${content.name}`
    const old = new Map<string, unknown>(Object.entries(before.get(id) ?? {}))
    return Object.entries(content).flatMap(([field, after]) => {
      const former = old.get(field)
      if (typeof former !== 'bigint' || typeof after !== 'bigint') return []
      if (!isOrderOfMagnitude(former, after)) return []
      const prices = [former, after].map((minor) => formatMoney(minor, currency)).join(' to ')
      return `${name}: a price changes from ${prices}.`
    })
  })
}

/** Describes vehicles that an import makes or renames, and that look like another. */
export function similarVehicles(stored: StoredFleet, plan: FleetPlan): string[] {
  const before = new Map(stored.assets.map(({ id, content }) => [id, content.ref]))
  const archived = new Set(plan.assets.archive)
  const leaving = stored.assets.filter(({ id }) => archived.has(id))
  const pairs = sharing([...plan.assets.rows, ...leaving], ({ content }) => looseRef(content.ref))
  return pairs
    .filter((rows) => rows.some(({ id, content }) => before.get(id) !== content.ref))
    .map((rows) => `${refs(rows.map(({ content }) => content))} are probably one vehicle.`)
}

/** Describes the prices of a tenant whose currency changes that do not change with it. */
export function currencyWarnings(stored: StoredFleet, plan: FleetPlan): string[] {
  const [from, to] = [stored.tenant?.content.currency, plan.tenant.content.currency]
  if (from === undefined || from === to) return []
  const [groups, groupsBefore] = [contentById(plan.groups.rows), contentById(stored.groups)]
  const [ratesBefore, extrasBefore] = [contentById(stored.rates), contentById(stored.extras)]
  const price = (of?: { readonly ref: string; readonly currency: string }, minor?: bigint) => {
    const { ref = '', currency = '' } = of ?? {}
    return { ref, currency, amount: minor === undefined ? '' : formatMoney(minor, currency) }
  }
  const prices = [
    ...plan.rates.rows.map(({ id, content: { assetGroupId, dailyMinor } }) => ({
      ...price(groups.get(assetGroupId), dailyMinor),
      before: price(groupsBefore.get(assetGroupId), ratesBefore.get(id)?.dailyMinor),
    })),
    ...plan.extras.rows.map(({ id, content }) => ({
      ...price(content, content.priceMinor),
      before: price(extrasBefore.get(id), extrasBefore.get(id)?.priceMinor),
    })),
  ]
  const other = prices.filter(({ currency }) => currency !== to)
  const kept = prices.filter(
    ({ currency, amount, before }) =>
      currency === to && before.currency === from && Number(amount) === Number(before.amount),
  )
  const list = (rows: typeof prices) => {
    const firsts = new Map(rows.toReversed().map((row) => [row.ref, row]))
    return rows
      .filter((row) => firsts.get(row.ref) === row)
      .map(({ ref, currency, amount }) => `${ref} ${amount} ${currency}`)
      .join(', ')
  }
  return [
    ...(other.length > 0 ? [`The company has ${to} now. Still in another: ${list(other)}.`] : []),
    ...(kept.length > 0 ? [`These amounts were ${from} and stay: ${list(kept)}.`] : []),
  ]
}

/** Describes new groups that take the place of one that an import archives. */
export function renamedGroups(stored: StoredFleet, plan: FleetPlan): string[] {
  const archived = new Set(plan.groups.archive)
  const groupBefore = new Map(stored.assets.map(({ id, content }) => [id, content.assetGroupId]))
  const assetsOf = groupBy(plan.assets.rows, ({ content }) => content.assetGroupId)
  return plan.groups.create.flatMap(({ id, content }) => {
    const former = stored.groups.find(
      (group) =>
        archived.has(group.id) &&
        (group.content.name === content.name ||
          assetsOf(id).some((asset) => groupBefore.get(asset.id) === group.id)),
    )
    if (former === undefined) return []
    const { ref } = former.content
    return `${content.ref} is a new group in place of ${ref}. To change what customers see, change Name and keep the group ${ref}.`
  })
}
