import { groupBy } from '../domain/groupBy.ts'
import { currencyDecimals, formatMoney, formatMoneyOrNull, parseAmount } from '../domain/money.ts'
import { writePrices } from '../domain/pricing/rates.ts'
import { shortPercent } from '../domain/pricing/tax.ts'
import type { FleetFile } from './fleetFile.ts'
import type { ListPlan, Placed, Stored } from './planList.ts'

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

/** The lists of a fleet; parents come before what refers to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

/** What the file says as the columns that an import decides, by list; amounts in minor units. */
export const toColumns = {
  /** The percentage without padding. Status, subscription and module are not the file's to decide. */
  tenant(tenant: FleetFile['tenant']) {
    const { slug: _, timezone: timeZone, ...unchanged } = tenant
    return { ...unchanged, timeZone, taxPercent: shortPercent(tenant.taxPercent) }
  },

  groups({ id: _, assets: __, rates: ___, ...group }: FileGroup, tenantCurrency: string) {
    return { ...group, currency: group.currency ?? tenantCurrency }
  },

  assets({ ref }: FileAsset, assetGroupId: string) {
    return { assetGroupId, ref }
  },

  blocks({ from, to, reason }: FileAsset['blocks'][number], assetId: string) {
    return { assetId, startsAt: from, endsAt: to, reason }
  },

  rates(rate: FileRate, assetGroupId: string, currency: string) {
    const { ref, name, validFrom, validTo } = rate
    return {
      assetGroupId,
      ref,
      name,
      dailyMinor: minorOf(rate.dailyRate, currency),
      hourlyMinor: minorOrNull(rate.hourlyRate, currency),
      weeklyMinor: minorOrNull(rate.weeklyRate, currency),
      monthlyMinor: minorOrNull(rate.monthlyRate, currency),
      validFrom,
      validTo,
    }
  },

  extras(extra: FileExtra, tenantCurrency: string) {
    const { ref, name, pricing, currency = tenantCurrency } = extra
    const priceMinor = minorOf(extra.price, currency)
    const maxPriceMinor = minorOrNull(extra.maxPrice, currency)
    return { ref, name, pricing, currency, priceMinor, maxPriceMinor }
  },
}

function minorOrNull(amount: string | null, currency: string): bigint | null {
  return amount === null ? null : minorOf(amount, currency)
}

function minorOf(amount: string, currency: string): bigint {
  return parseAmount(amount, currencyDecimals(currency))
}

/** The columns of a row that are the file's. */
type Content<Name extends keyof typeof toColumns> = ReturnType<(typeof toColumns)[Name]>

/** `blockedBy`: who blocked the vehicle by command; null when a fleet file did. */
type StoredBlock = Content<'blocks'> & {
  readonly blockedBy: string | null
  readonly over: boolean
}

/** A tenant's fleet as it is stored, archived rows included. */
export type StoredFleet = {
  readonly [Name in Exclude<ListName, 'blocks'>]: readonly Stored<Content<Name>>[]
} & {
  readonly blocks: readonly Stored<StoredBlock>[]
  readonly tenant: Stored<Content<'tenant'>> | undefined
}

export type FleetPlan = { readonly [Name in ListName]: ListPlan<Content<Name>> } & {
  readonly tenant: Placed<Content<'tenant'>> & ListPlan<Content<'tenant'>>
}

/** Stored columns as the fleet file writes them: the reverse of `contentOf`. */
export const toFileFormat = {
  tenant(content: Content<'tenant'>) {
    const { name, timeZone, currency, taxPercent, pricesIncludeTax, gracePeriodMinutes } = content
    const { minLeadMinutes, seasons, pendingHoldHours } = content
    const prices = { currency, taxPercent, pricesIncludeTax, gracePeriodMinutes, minLeadMinutes }
    return { name, timezone: timeZone, ...prices, seasons, pendingHoldHours }
  },

  groups(content: Content<'groups'>) {
    const { ref, name, category, description, imageUrl, currency, turnaroundMinutes } = content
    return { ref, name, category, description, imageUrl, currency, turnaroundMinutes }
  },

  blocks({ startsAt, endsAt, reason }: Content<'blocks'>) {
    return { from: startsAt.toISOString(), to: endsAt.toISOString(), reason }
  },

  rates(content: Content<'rates'>, currency: string) {
    const { ref, name, validFrom, validTo } = content
    return { ref, name, ...writePrices(content, currency), validFrom, validTo }
  },

  extras({ ref, name, pricing, currency, ...prices }: Content<'extras'>) {
    const price = formatMoney(prices.priceMinor, currency)
    const maxPrice = formatMoneyOrNull(prices.maxPriceMinor, currency)
    return { ref, name, pricing, currency, price, maxPrice }
  },
}

/**
 * All of a fleet that is in service, with its ids, in the form of a fleet file: one that imports to
 * no change if blocks have the form of `formOf`.
 */
export function fleetOf<Block>(
  slug: string,
  stored: StoredFleet,
  describeBlock: (content: StoredBlock) => Block,
) {
  if (stored.tenant === undefined) throw new Error('Bug: a tenant without a fleet')
  const blocks = stored.blocks
    .flatMap(({ archived, content }) => (archived ? [] : content))
    .toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt))
  const blocksOf = groupBy(blocks, ({ assetId }) => assetId)
  const assetsOf = groupBy(live(stored.assets), ({ content }) => content.assetGroupId)
  const ratesOf = groupBy(live(stored.rates), ({ content }) => content.assetGroupId)
  return {
    tenant: { slug, ...toFileFormat.tenant(stored.tenant.content) },
    assetGroups: live(stored.groups).map(({ id, content }) => ({
      id,
      ...toFileFormat.groups(content),
      assets: assetsOf(id).map((asset) => ({
        ref: asset.content.ref,
        blocks: blocksOf(asset.id).map(describeBlock),
      })),
      rates: ratesOf(id).map((rate) => ({
        id: rate.id,
        ...toFileFormat.rates(rate.content, content.currency),
      })),
    })),
    extras: live(stored.extras).map((extra) => ({
      id: extra.id,
      ...toFileFormat.extras(extra.content),
    })),
  }
}

/** A fleet as `fleet export` writes it. */
export type ExportedFleet = ReturnType<typeof fleetOf<object>>
export type ExportedGroup = ExportedFleet['assetGroups'][number]

/** The rows in service, sorted by `ref`. */
function live<Content extends { readonly ref: string }>(rows: readonly Stored<Content>[]) {
  return rows
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => a.content.ref.localeCompare(b.content.ref))
}
