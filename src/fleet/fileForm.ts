import { formatMoney, formatMoneyOrNull } from '../domain/money.ts'
import { writePrices } from '../domain/rates.ts'
import type {
  BlockContent,
  ExtraContent,
  GroupContent,
  RateContent,
  StoredBlock,
  StoredFleet,
  TenantContent,
} from './contents.ts'
import { groupedBy } from './groupedBy.ts'
import type { Stored } from './planList.ts'

// The columns of a fleet in the words of the fleet file: the way back from contents.ts.

export function tenantForm(content: TenantContent) {
  const { name, timeZone, currency, taxPercent, pricesIncludeTax, gracePeriodMinutes } = content
  const { minLeadMinutes, seasons, pendingHoldHours, sandbox } = content
  const prices = { currency, taxPercent, pricesIncludeTax, gracePeriodMinutes, minLeadMinutes }
  return { name, timezone: timeZone, ...prices, seasons, pendingHoldHours, sandbox }
}

export function groupForm(content: GroupContent) {
  const { ref, name, category, description, imageUrl, currency, turnaroundMinutes } = content
  return { ref, name, category, description, imageUrl, currency, turnaroundMinutes }
}

export function blockForm({ startsAt, endsAt, reason }: BlockContent) {
  return { from: startsAt.toISOString(), to: endsAt.toISOString(), reason }
}

export function rateForm(content: RateContent, currency: string) {
  const { ref, name, validFrom, validTo } = content
  return { ref, name, ...writePrices(content, currency), validFrom, validTo }
}

export function extraForm({ ref, name, pricing, currency, ...prices }: ExtraContent) {
  const price = formatMoney(prices.priceMinor, currency)
  const maxPrice = formatMoneyOrNull(prices.maxPriceMinor, currency)
  return { ref, name, pricing, currency, price, maxPrice }
}

/** A block, and who set it by command; null when the file did. */
function blockPage(content: StoredBlock) {
  return { ...blockForm(content), blockedBy: content.blockedBy }
}

/** The fleet file that imports to no change: all that is in service, with its ids. */
export const fleetFileOf = (slug: string, stored: StoredFleet) => fleetOf(slug, stored, blockForm)

/** The same, its blocks with more than the file has. */
export const fleetPageOf = (slug: string, stored: StoredFleet) => fleetOf(slug, stored, blockPage)

function fleetOf<Block>(
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
