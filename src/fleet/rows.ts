import type { ListPlan, Stored } from './planList.ts'

/** The columns an import decides, list by list; amounts in minor units, percents without padding. */

export interface TenantContent {
  readonly name: string
  readonly timezone: string
  readonly currency: string
  readonly taxPercent: string
  readonly pricesIncludeTax: boolean
  readonly gracePeriodMinutes: number
  readonly minLeadMinutes: number | null
  readonly seasons: 'per_day' | 'pickup'
  readonly pendingHoldHours: number | null
}

export interface GroupContent {
  readonly ref: string
  readonly name: string
  readonly category: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly currency: string
  readonly turnaroundMinutes: number
}

interface AssetContent {
  readonly assetGroupId: string
  readonly ref: string
}

export interface BlockContent {
  readonly assetId: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly reason: string | null
}

export interface RateContent {
  readonly assetGroupId: string
  readonly ref: string
  readonly name: string
  readonly dailyMinor: bigint
  readonly hourlyMinor: bigint | null
  readonly weeklyMinor: bigint | null
  readonly monthlyMinor: bigint | null
  readonly validFrom: string | null
  readonly validTo: string | null
}

export interface ExtraContent {
  readonly ref: string
  readonly name: string
  readonly pricing: 'per_day' | 'per_rental'
  readonly currency: string
  readonly priceMinor: bigint
  readonly maxPriceMinor: bigint | null
}

/** A tenant's fleet as it is stored, archived rows included. */
export interface StoredFleet {
  readonly tenant: { readonly id: string; readonly content: TenantContent } | undefined
  readonly groups: readonly Stored<GroupContent>[]
  readonly assets: readonly Stored<AssetContent>[]
  readonly blocks: readonly Stored<BlockContent>[]
  readonly rates: readonly Stored<RateContent>[]
  readonly extras: readonly Stored<ExtraContent>[]
}

/** Everything one import will write. */
export interface FleetPlan {
  readonly tenant: {
    readonly id: string
    readonly content: TenantContent
    readonly change: 'create' | 'update' | 'none'
  }
  readonly groups: ListPlan<GroupContent>
  readonly assets: ListPlan<AssetContent>
  readonly blocks: ListPlan<BlockContent>
  readonly rates: ListPlan<RateContent>
  readonly extras: ListPlan<ExtraContent>
}
