import type {
  AssetContent,
  BlockContent,
  ExtraContent,
  GroupContent,
  RateContent,
  TenantContent,
} from './contents.ts'
import type { ListPlan, Stored } from './planList.ts'

/** The lists of a fleet; parents come before what refers to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

/** `blockedBy`: who blocked the vehicle by command; null when a fleet file did. */
export type StoredBlock = BlockContent & { readonly blockedBy: string | null }

/** A tenant's fleet as it is stored, archived rows included. */
export interface StoredFleet {
  readonly tenant: { readonly id: string; readonly content: TenantContent } | undefined
  readonly groups: readonly Stored<GroupContent>[]
  readonly assets: readonly Stored<AssetContent>[]
  readonly blocks: readonly Stored<StoredBlock>[]
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
