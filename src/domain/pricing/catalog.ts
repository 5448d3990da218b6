import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './priceRental.ts'
import type { Rate } from './rates.ts'

/** A vehicle class and its rates, in the order in which they are listed (decision 11). */
interface GroupOffer {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly currency: string
  readonly rates: readonly Rate[]
}

/** An extra as the tenant offers it, in any quantity. */
interface ExtraOffer extends Omit<ChosenExtra, 'quantity'> {
  readonly currency: string
}

/** Everything a tenant offers at one moment, as it was in the version it names. */
export interface Catalog {
  readonly version: string
  /** How the tenant prices: its own part in every price (decisions 45, 46, 49 and 51). */
  readonly terms: Omit<PriceInputs, 'pickupAt' | 'dropoffAt' | 'currency' | 'rates' | 'extras'>
  /** How long before its pickup a rental must be asked for; null: pickups may lie in the past. */
  readonly minLeadMinutes: number | null
  readonly groups: readonly GroupOffer[]
  readonly groupsById: ReadonlyMap<string, GroupOffer>
  readonly extrasById: ReadonlyMap<string, ExtraOffer>
  /** The number of groups, rates and extras: a rough measure of the memory they take. */
  readonly rowCount: number
}
