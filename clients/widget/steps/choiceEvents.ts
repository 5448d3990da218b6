import { chosenExtras } from '../choices.ts'
import type { Flow } from '../flow.ts'
import { localPeriod } from '../period.ts'
import type { RentalChoice, RentalSearch } from '../rental-booking.d.ts'
import { isSoldOut, type Search, type Vehicle } from '../vehicles.ts'

/** Searches whose event was dispatched, by their period: more vehicles of a search are no other search. */
const reported = new WeakSet<Search['period']>()

/** Returns the dates in the form of the attributes, and the length. */
function datesOf({ config, visit, shared }: Flow) {
  const [days, hours] = shared.enteredLength(config, visit.fields)
  return { ...localPeriod(visit.fields), days, hours }
}

/** Dispatches `searched` when the vehicles of a search are shown first. */
export function reportSearch(flow: Flow, { period, vehicles, hasMore }: Search): void {
  if (reported.has(period)) return
  reported.add(period)
  const available = vehicles.filter((vehicle) => !isSoldOut(vehicle)).length
  const detail: RentalSearch = { ...datesOf(flow), found: vehicles.length, available, hasMore }
  flow.emit('searched', detail)
}

/** Dispatches an event with the chosen vehicle, its extras and their price. */
export function reportChoice(
  flow: Flow,
  event: 'vehiclechosen' | 'extraschanged',
  search: Search,
  vehicle: Vehicle,
): void {
  const { id: assetGroupId, name, category } = vehicle.group
  const chosen = chosenExtras(flow, vehicle)
  const { total = null, currency = null } = search.guide(vehicle, chosen) ?? {}
  const extras = chosen.map(({ extra, quantity }) => ({ id: extra.id, name: extra.name, quantity }))
  const detail: RentalChoice = {
    ...datesOf(flow),
    assetGroupId,
    name,
    category,
    extras,
    total,
    currency,
  }
  flow.emit(event, detail)
}
