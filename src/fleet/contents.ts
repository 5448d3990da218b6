import { currencyDecimals, parseAmount } from '../domain/money.ts'
import { formatPercent, parsePercent } from '../domain/tax.ts'
import type { FleetFile } from './fleetFile.ts'

// What the file says as the columns that an import decides; amounts in minor units.

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

export type TenantContent = ReturnType<typeof tenantContent>
export type GroupContent = ReturnType<typeof groupContent>
export type AssetContent = ReturnType<typeof assetContent>
export type BlockContent = ReturnType<typeof blockContent>
export type RateContent = ReturnType<typeof rateContent>
export type ExtraContent = ReturnType<typeof extraContent>

/** The percentage without padding. Status, subscription and module are not the file's to decide. */
export function tenantContent({ slug: _, taxPercent, ...unchanged }: FleetFile['tenant']) {
  return { ...unchanged, taxPercent: formatPercent(parsePercent(taxPercent)) }
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
  return {
    ref,
    name,
    pricing,
    currency,
    priceMinor,
    maxPriceMinor: minorOrNull(extra.maxPrice, currency),
  }
}

function minorOrNull(amount: string | null, currency: string): bigint | null {
  return amount === null ? null : minorOf(amount, currency)
}

function minorOf(amount: string, currency: string): bigint {
  return parseAmount(amount, currencyDecimals(currency))
}
