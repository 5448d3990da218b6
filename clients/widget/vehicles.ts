import type {
  AssetGroup,
  Availability,
  Rate,
  RentalApiError,
  RentalClient,
} from '../typescript/index.ts'
import type { OpenConfig, Period } from './config.ts'
import type { ChosenExtra, Guide, priceGuide } from './guide.ts'

/** A vehicle class with what a visitor wants to know before choosing it. */
export interface Vehicle {
  readonly group: AssetGroup
  readonly availability: Availability
  /** Undefined where they can't be read. */
  readonly rates: readonly Rate[] | undefined
}

/** The vehicles of a period, as far as they were looked at. */
export interface Search {
  readonly period: Period
  /** What a rental of these dates costs, to compare; undefined where nobody can tell. */
  guide(vehicle: Vehicle, extras?: readonly ChosenExtra[]): Guide | undefined
  readonly vehicles: readonly Vehicle[]
  readonly hasMore: boolean
  more(): Promise<Search>
}

/** So many classes are asked about at a time: each costs a request. */
const shownAtOnce = 12
const ratesFreshMs = 300_000

interface SearchOptions {
  readonly rental: RentalClient
  readonly config: OpenConfig
  readonly signal: AbortSignal
}

/** Looks vehicles up; rates change rarely, so they are kept for the next search. */
export function openSearch({ rental, signal, config }: SearchOptions) {
  const kept = new Map<string, { readonly atMs: number; readonly rates: readonly Rate[] }>()
  let isGranted = true

  async function ratesOf(id: string): Promise<Vehicle['rates']> {
    const known = kept.get(id)
    if (known !== undefined && Date.now() - known.atMs < ratesFreshMs) return known.rates
    if (!isGranted) return undefined
    // Each refusal counts for the visitor's address; once they are too many, nothing else is said.
    const rates = await rental.listRates(id, { signal }).catch((error: RentalApiError) => {
      if (error.code === 'SCOPE_NOT_GRANTED') isGranted = false
      else if (error.code !== 'RATE_LIMITED') throw error
      return undefined
    })
    if (rates !== undefined) kept.set(id, { atMs: Date.now(), rates })
    return rates
  }

  return async (period: Period, chosen: string | undefined): Promise<Search> => {
    // Prices to compare are a help: without them the quote still tells.
    const pricing = import('./guide.ts').catch(() => undefined)
    const listed = await rental.listAssetGroups({ signal })
    // What was chosen before is among the first: who comes back has it still.
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
          // One that was archived since they were listed is left out.
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
