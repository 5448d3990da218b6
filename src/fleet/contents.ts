import { currencyDecimals, parseAmount } from '../domain/money.ts'
import { formatPercent, parsePercent } from '../domain/tax.ts'
import type { FleetFile } from './fleetFile.ts'
import type { ExtraContent, GroupContent, RateContent, TenantContent } from './rows.ts'

type FileGroup = FleetFile['assetGroups'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

/** A file's tenant as columns. Its status, subscription and module are not the file's to decide. */
export function tenantContent({
  slug: _,
  taxPercent,
  ...unchanged
}: FleetFile['tenant']): TenantContent {
  return { ...unchanged, taxPercent: formatPercent(parsePercent(taxPercent)) }
}

export function groupContent(group: FileGroup, tenantCurrency: string): GroupContent {
  const { ref, name, category, description, imageUrl, turnaroundMinutes } = group
  const currency = group.currency ?? tenantCurrency
  return { ref, name, category, description, imageUrl, currency, turnaroundMinutes }
}

export function rateContent(rate: FileRate, assetGroupId: string, currency: string): RateContent {
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

export function extraContent(extra: FileExtra, tenantCurrency: string): ExtraContent {
  const { ref, name, pricing, currency = tenantCurrency } = extra
  return {
    ref,
    name,
    pricing,
    currency,
    priceMinor: minorOf(extra.price, currency),
    maxPriceMinor: minorOrNull(extra.maxPrice, currency),
  }
}

function minorOrNull(amount: string | null, currency: string): bigint | null {
  return amount === null ? null : minorOf(amount, currency)
}

function minorOf(amount: string, currency: string): bigint {
  return parseAmount(amount, currencyDecimals(currency))
}
