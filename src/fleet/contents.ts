import { currencyDecimals, formatMoney, formatMoneyOrNull, parseAmount } from '../domain/money.ts'
import { writePrices } from '../domain/rates.ts'
import { shortPercent } from '../domain/tax.ts'
import type { FleetFile } from './fleetFile.ts'
import { groupedBy } from './groupedBy.ts'
import type { ListPlan, Placed, Stored } from './planList.ts'

// What the file says as the columns that an import decides; amounts in minor units.

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]
type FileRate = FileGroup['rates'][number]
type FileExtra = FleetFile['extras'][number]

type TenantContent = ReturnType<typeof tenantContent>
export type BlockContent = Contents['blocks']

/** The lists of a fleet; parents come before what refers to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

interface Contents extends Record<ListName, object> {
  readonly groups: ReturnType<typeof groupContent>
  readonly assets: ReturnType<typeof assetContent>
  readonly blocks: ReturnType<typeof blockContent>
  readonly rates: ReturnType<typeof rateContent>
  readonly extras: ReturnType<typeof extraContent>
}

/** `blockedBy`: who blocked the vehicle by command; null when a fleet file did. */
export type StoredBlock = BlockContent & {
  readonly blockedBy: string | null
  readonly over: boolean
}

type StoredContents = Contents & { readonly blocks: StoredBlock }

/** A tenant's fleet as it is stored, archived rows included. */
export type StoredFleet = {
  readonly [Name in ListName]: readonly Stored<StoredContents[Name]>[]
} & { readonly tenant: Stored<TenantContent> | undefined }

export type FleetPlan = { readonly [Name in ListName]: ListPlan<Contents[Name]> } & {
  readonly tenant: Placed<TenantContent> & ListPlan<TenantContent>
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

// The way back: columns in the words of the fleet file.

export function tenantForm(content: TenantContent) {
  const { name, timeZone, currency, taxPercent, pricesIncludeTax, gracePeriodMinutes } = content
  const { minLeadMinutes, seasons, pendingHoldHours, sandbox } = content
  const prices = { currency, taxPercent, pricesIncludeTax, gracePeriodMinutes, minLeadMinutes }
  return { name, timezone: timeZone, ...prices, seasons, pendingHoldHours, sandbox }
}

export function groupForm(content: Contents['groups']) {
  const { ref, name, category, description, imageUrl, currency, turnaroundMinutes } = content
  return { ref, name, category, description, imageUrl, currency, turnaroundMinutes }
}

export function blockForm({ startsAt, endsAt, reason }: BlockContent) {
  return { from: startsAt.toISOString(), to: endsAt.toISOString(), reason }
}

export function rateForm(content: Contents['rates'], currency: string) {
  const { ref, name, validFrom, validTo } = content
  return { ref, name, ...writePrices(content, currency), validFrom, validTo }
}

export function extraForm({ ref, name, pricing, currency, ...prices }: Contents['extras']) {
  const price = formatMoney(prices.priceMinor, currency)
  const maxPrice = formatMoneyOrNull(prices.maxPriceMinor, currency)
  return { ref, name, pricing, currency, price, maxPrice }
}

/** A block, and who set it by command; null when the file did. */
export function blockPage(content: StoredBlock) {
  return { ...blockForm(content), blockedBy: content.blockedBy }
}

/**
 * All of a fleet that is in service, with its ids, in the form of a fleet file: with `blockForm` one
 * that imports to no change.
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
  const blocksOf = groupedBy(blocks, ({ assetId }) => assetId)
  const assetsOf = groupedBy(live(stored.assets), ({ content }) => content.assetGroupId)
  const ratesOf = groupedBy(live(stored.rates), ({ content }) => content.assetGroupId)
  return {
    tenant: { slug, ...tenantForm(stored.tenant.content) },
    assetGroups: live(stored.groups).map(({ id, content }) => ({
      id,
      ...groupForm(content),
      assets: assetsOf(id).map((asset) => ({
        ref: asset.content.ref,
        blocks: blocksOf(asset.id).map(describeBlock),
      })),
      rates: ratesOf(id).map((rate) => ({
        id: rate.id,
        ...rateForm(rate.content, content.currency),
      })),
    })),
    extras: live(stored.extras).map((extra) => ({ id: extra.id, ...extraForm(extra.content) })),
  }
}

/** Without what is archived, by `ref`. */
function live<Content extends { readonly ref: string }>(rows: readonly Stored<Content>[]) {
  return rows
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => a.content.ref.localeCompare(b.content.ref))
}
