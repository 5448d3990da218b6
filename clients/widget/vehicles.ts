import type {
  AssetGroup,
  Availability,
  Rate,
  RentalApiError,
  RentalClient,
} from '../typescript/index.ts'
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
  more(): Promise<Search>
}

/** The number of classes loaded at a time. Each needs its own requests. */
const shownAtOnce = 12
const ratesFreshMs = 300_000

interface SearchOptions {
  readonly rental: RentalClient
  readonly config: ConfigWithTimeZone
  readonly signal: AbortSignal
}

/** Returns a function that searches the vehicles of a period. Rates are cached for five minutes. */
export function openSearch({ rental, signal, config }: SearchOptions) {
  const kept = new Map<string, { readonly atMs: number; readonly rates: readonly Rate[] }>()
  let isGranted = true

  async function ratesOf(id: string): Promise<Vehicle['rates']> {
    const known = kept.get(id)
    if (known !== undefined && Date.now() - known.atMs < ratesFreshMs) return known.rates
    if (!isGranted) return undefined
    // Each rejected request counts against the rate limit of the visitor's address, so send only
    // one request.
    const rates = await rental.listRates(id, { signal }).catch((error: RentalApiError) => {
      if (error.code === 'SCOPE_NOT_GRANTED') isGranted = false
      else if (error.code !== 'RATE_LIMITED') throw error
      return undefined
    })
    if (rates !== undefined) kept.set(id, { atMs: Date.now(), rates })
    return rates
  }

  return async (period: Period, chosen: string | undefined): Promise<Search> => {
    // Estimates are optional: the quote has the binding price.
    const pricing = import('./lazy/guide.ts').catch(() => undefined)
    const listed = await rental.listAssetGroups({ signal })
    // The vehicle chosen before comes first, so that it is among those loaded.
    const isOther = ({ id }: AssetGroup) => +(id !== chosen)
    const groups = listed.toSorted((a, b) => isOther(a) - isOther(b))
    const price: typeof priceGuide | undefined = (await pricing)?.priceGuide
    const guide: Search['guide'] = ({ rates = [] }, extras) =>
      price?.(rates, period, config, extras)
    const range = { from: period.pickupDatetime, to: period.dropoffDatetime }
    const shown = async (before: readonly Vehicle[], from: number): Promise<Search> => {
      const to = from + shownAtOnce
      const asked = groups.slice(from, to).map(async (group) => {
        try {
          const counted = rental.getAvailability(group.id, range, { signal })
          const [availability, rates] = await Promise.all([counted, ratesOf(group.id)])
          return { group, availability, rates }
        } catch (error) {
          // Classes that were archived after the listing are left out.
          if ((error as RentalApiError).code !== 'NOT_FOUND') throw error
          return
        }
      })
      const found = (await Promise.all(asked)).filter((vehicle) => vehicle !== undefined)
      const soldOut = ({ availability }: Vehicle) => Number(!availability.available)
      found.sort((a, b) => soldOut(a) - soldOut(b))
      const vehicles = [...before, ...found]
      const hasMore = to < groups.length
      return { period, guide, vehicles, hasMore, more: () => shown(vehicles, to) }
    }
    return shown([], 0)
  }
}
