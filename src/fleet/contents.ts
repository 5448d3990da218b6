import { currencyDecimals, parseAmount } from '../domain/money.ts'
import { shortPercent } from '../domain/tax.ts'
import type { FleetFile } from './fleetFile.ts'
import type { ListPlan, Placed, Stored } from './planList.ts'

// What the file says as the columns that an import decides; amounts in minor units.

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

export type TenantContent = ReturnType<typeof tenantContent>
export type GroupContent = ReturnType<typeof groupContent>
type AssetContent = ReturnType<typeof assetContent>
export type BlockContent = ReturnType<typeof blockContent>
export type RateContent = ReturnType<typeof rateContent>
export type ExtraContent = ReturnType<typeof extraContent>

/** The lists of a fleet; parents come before what refers to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

/** `blockedBy`: who blocked the vehicle by command; null when a fleet file did. */
export type StoredBlock = BlockContent & {
  readonly blockedBy: string | null
  readonly over: boolean
}

/** A tenant's fleet as it is stored, archived rows included. */
export interface StoredFleet {
  readonly tenant: Stored<TenantContent> | undefined
  readonly groups: readonly Stored<GroupContent>[]
  readonly assets: readonly Stored<AssetContent>[]
  readonly blocks: readonly Stored<StoredBlock>[]
  readonly rates: readonly Stored<RateContent>[]
  readonly extras: readonly Stored<ExtraContent>[]
}

export interface FleetPlan {
  readonly tenant: Placed<TenantContent> & ListPlan<TenantContent>
  readonly groups: ListPlan<GroupContent>
  readonly assets: ListPlan<AssetContent>
  readonly blocks: ListPlan<BlockContent>
  readonly rates: ListPlan<RateContent>
  readonly extras: ListPlan<ExtraContent>
}

/** The percentage without padding. Status, subscription and module are not the file's to decide. */
export function tenantContent(tenant: FleetFile['tenant']) {
  const { slug: _, timezone: timeZone, ...unchanged } = tenant
  return { ...unchanged, timeZone, taxPercent: shortPercent(tenant.taxPercent) }
}

export function groupContent(group: FileGroup, tenantCurrency: string) {
  const { ref, name, category, description, imageUrl, turnaroundMinutes } = group
  const currency = group.currency ?? tenantCurrency
  return { ref, name, category, description, imageUrl, currency, turnaroundMinutes }
}

export function assetContent({ ref }: FileAsset, assetGroupId: string) {
  return { assetGroupId, ref }
}

export function blockContent({ from, to, reason }: FileAsset['blocks'][number], assetId: string) {
  return { assetId, startsAt: from, endsAt: to, reason }
}

export function rateContent(rate: FileRate, assetGroupId: string, currency: string) {
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
}

export function extraContent(extra: FileExtra, tenantCurrency: string) {
  const { ref, name, pricing, currency = tenantCurrency } = extra
  const priceMinor = minorOf(extra.price, currency)
  const maxPriceMinor = minorOrNull(extra.maxPrice, currency)
  return { ref, name, pricing, currency, priceMinor, maxPriceMinor }
}

function minorOrNull(amount: string | null, currency: string): bigint | null {
  return amount === null ? null : minorOf(amount, currency)
}

function minorOf(amount: string, currency: string): bigint {
  return parseAmount(amount, currencyDecimals(currency))
}
