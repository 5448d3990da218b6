import type { Reads } from '../typescript/connection.ts'
import type { AssetGroup, Availability, Rate, RentalApiError } from '../typescript/index.ts'
import type { ConfigWithTimeZone, Period } from './config.ts'
import type { ChosenExtra, Guide, priceGuide } from './lazy/guide.ts'

/** A vehicle class with its availability and rates. */
export interface Vehicle {
  readonly group: AssetGroup
  readonly availability: Availability
  /** Undefined if the key may not read rates, or a rate limit was reached. */
  readonly rates: readonly Rate[] | undefined
}

/** The vehicles of a period that are loaded so far. */
export interface Search {
  readonly period: Period
  /** Estimates the price of a rental in this period; undefined without rates. */
  guide(vehicle: Vehicle, extras?: readonly ChosenExtra[]): Guide | undefined
  readonly vehicles: readonly Vehicle[]
  readonly hasMore: boolean
  more(signal: AbortSignal): Promise<Search>
}

/** The number of classes loaded at a time. Each needs its own requests. */
const shownAtOnce = 12
const ratesFreshMs = 300_000

interface SearchOptions {
  readonly rental: Reads
  readonly config: ConfigWithTimeZone
  loadSteps(signal: AbortSignal): Promise<{ readonly priceGuide: typeof priceGuide }>
}

/** Returns a function that searches the vehicles of a period. */
export function openSearch({ rental, config, loadSteps }: SearchOptions) {
  const ratesOf = rateCache(rental)

  /** Returns undefined for a class that was archived after the listing. */
  async function loadVehicle(group: AssetGroup, period: Period, signal: AbortSignal) {
    const range = { from: period.pickupDatetime, to: period.dropoffDatetime }
    try {
      const counted = rental.getAvailability(group.id, range, { signal })
      const [availability, rates] = await Promise.all([counted, ratesOf(group.id, signal)])
      return { group, availability, rates }
    } catch (error) {
      if ((error as RentalApiError).code !== 'NOT_FOUND') throw error
      return undefined
    }
  }

  return async (
    period: Period,
    chosen: string | undefined,
    signal: AbortSignal,
    only?: string,
  ): Promise<Search> => {
    const pricing = loadSteps(signal)
    pricing.catch(() => {})
    const listed = await rental.listAssetGroups({ signal })
    // The vehicle chosen before comes first, so that it is among those loaded.
    const isOther = ({ id }: AssetGroup) => +(id !== chosen)
    const groups = listed
      .filter(({ id }) => only === undefined || id === only)
      .sort((a, b) => isOther(a) - isOther(b))
    const { priceGuide } = await pricing
    const guide: Search['guide'] = ({ rates = [] }, extras) =>
      priceGuide(rates, period, config, extras)

    const load = async (
      before: readonly Vehicle[],
      from: number,
      signal: AbortSignal,
    ): Promise<Search> => {
      const to = from + shownAtOnce
      const loading = groups.slice(from, to).map((group) => loadVehicle(group, period, signal))
      const loaded = (await Promise.all(loading)).filter((vehicle) => vehicle !== undefined)
      loaded.sort((a, b) => isSoldOut(a) - isSoldOut(b))
      const vehicles = [...before, ...loaded]
      const hasMore = to < groups.length
      return { period, guide, vehicles, hasMore, more: (signal) => load(vehicles, to, signal) }
    }
    return load([], 0, signal)
  }
}

export const isOfPeriod = (search: Search | undefined, period: Period | undefined) =>
  JSON.stringify(search?.period) === JSON.stringify(period)

/** For sorting: sold-out vehicles last. */
export const isSoldOut = ({ availability }: Vehicle) => Number(!availability.available)

/** Returns a function that reads rates and caches them for five minutes. */
function rateCache(rental: Reads) {
  const cached = new Map<string, { readonly atMs: number; readonly rates: readonly Rate[] }>()
  let isGranted = true

  return async (id: string, signal: AbortSignal): Promise<Vehicle['rates']> => {
    const known = cached.get(id)
    if (known !== undefined && Date.now() - known.atMs < ratesFreshMs) return known.rates
    if (!isGranted) return undefined
    // Each rejected request counts against the rate limit of the visitor's address, so send only
    // one request.
    const rates = await rental.listRates(id, { signal }).catch((error: RentalApiError) => {
      if (error.code === 'SCOPE_NOT_GRANTED') isGranted = false
      else if (error.code !== 'RATE_LIMITED') throw error
      return undefined
    })
    if (rates !== undefined) cached.set(id, { atMs: Date.now(), rates })
    return rates
  }
}
