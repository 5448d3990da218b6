import { foldRef } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'
import { currencyDecimals, formatMoney, formatMoneyOrNull, parseAmount } from '../domain/money.ts'
import { formatPrices } from '../domain/pricing/rates.ts'
import { shortPercent } from '../domain/pricing/tax.ts'
import type { FleetFile } from './fleetFile.ts'
import type { ListPlan, RowWithId, Stored } from './planList.ts'

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

/** The lists of a fleet. Parents come before the rows that refer to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

/** Converts fleet-file entries to the database columns that an import sets. */
export const toColumns = {
  /** Does not return status, subscription and online booking, which imports must not change. */
  tenant(tenant: FleetFile['tenant']) {
    const { slug: _, timezone: timeZone, ...unchanged } = tenant
    return { ...unchanged, timeZone, taxPercent: shortPercent(tenant.taxPercent) }
  },

  groups({ id: _, assets: __, rates: ___, ...group }: FileGroup, tenantCurrency: string) {
    return { ...group, currency: group.currency ?? tenantCurrency }
  },

  assets({ ref }: FileAsset, assetGroupId: string) {
    return { assetGroupId, ref, foldedRef: foldRef(ref) }
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

/** The columns of a row that an import sets. */
type Content<Name extends keyof typeof toColumns> = ReturnType<(typeof toColumns)[Name]>

/** A stored block. `blockedBy` is the operator who created it; null if it is from a fleet file. */
type StoredBlock = Content<'blocks'> & { readonly blockedBy: string | null }

/** A tenant's stored fleet, including archived rows. */
export type StoredFleet = {
  readonly [Name in Exclude<ListName, 'blocks'>]: readonly Stored<Content<Name>>[]
} & {
  readonly blocks: readonly Stored<StoredBlock>[]
  readonly tenant: Stored<Content<'tenant'>> | undefined
}

export type FleetPlan = { readonly [Name in ListName]: ListPlan<Content<Name>> } & {
  readonly tenant: RowWithId<Content<'tenant'>> & ListPlan<Content<'tenant'>>
}

/** Converts database columns to fleet-file entries. Reverses `toColumns`. */
export const toFileFormat = {
  tenant(content: Content<'tenant'>) {
    const { name, timeZone, currency, taxPercent, pricesIncludeTax, gracePeriodMinutes } = content
    const { minLeadMinutes, seasons, pendingHoldHours, customerRetentionMonths } = content
    const prices = { currency, taxPercent, pricesIncludeTax, gracePeriodMinutes, minLeadMinutes }
    const rest = { seasons, pendingHoldHours, customerRetentionMonths }
    return { name, timezone: timeZone, ...prices, ...rest }
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
    return { ref, name, ...formatPrices(content, currency), validFrom, validTo }
  },

  extras({ ref, name, pricing, currency, ...prices }: Content<'extras'>) {
    const price = formatMoney(prices.priceMinor, currency)
    const maxPrice = formatMoneyOrNull(prices.maxPriceMinor, currency)
    return { ref, name, pricing, currency, price, maxPrice }
  },
}

/**
 * Returns the active rows of a fleet as a fleet file with ids. With `toFileFormat.blocks` as
 * `describeBlock`, importing the file changes nothing.
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
  const assetsOf = groupBy(activeRows(stored.assets), ({ content }) => content.assetGroupId)
  const ratesOf = groupBy(activeRows(stored.rates), ({ content }) => content.assetGroupId)
  return {
    tenant: { slug, ...toFileFormat.tenant(stored.tenant.content) },
    assetGroups: activeRows(stored.groups).map(({ id, content }) => ({
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
    extras: activeRows(stored.extras).map((extra) => ({
      id: extra.id,
      ...toFileFormat.extras(extra.content),
    })),
  }
}

/** A fleet as exported by `fleet export`. */
export type ExportedFleet = ReturnType<typeof fleetOf<object>>

/** Returns the rows that are not archived, sorted by `ref`. */
function activeRows<Content extends { readonly ref: string }>(rows: readonly Stored<Content>[]) {
  return rows
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => a.content.ref.localeCompare(b.content.ref))
}
