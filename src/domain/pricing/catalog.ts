import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './priceRental.ts'
import type { Rate } from './rates.ts'

/** A vehicle class and its rates, in the order of the rate list. */
interface GroupOffer {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly currency: string
  readonly rates: readonly Rate[]
}

/** An extra that the tenant offers, without a quantity. */
interface ExtraOffer extends Omit<ChosenExtra, 'quantity'> {
  readonly currency: string
}

/** Everything a tenant offers, in one version. */
export interface Catalog {
  readonly version: string
  /** The tenant's settings that are part of every price. */
  readonly terms: Omit<PriceInputs, 'pickupAt' | 'dropoffAt' | 'currency' | 'rates' | 'extras'>
  /** The minimum time between the request and the pickup. Null allows pickups in the past. */
  readonly minLeadMinutes: number | null
  readonly groups: readonly GroupOffer[]
  readonly groupsById: ReadonlyMap<string, GroupOffer>
  readonly extrasById: ReadonlyMap<string, ExtraOffer>
  /** The number of groups, rates and extras, as an estimate of memory use. */
  readonly rowCount: number
}
