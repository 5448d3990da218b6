import { dateAfter } from '../../../src/domain/openingHours.ts'
import type { RentalApiError } from '../../typescript/index.ts'
import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import type { Vehicle } from '../vehicles.ts'
import { wallClockMs } from '../zone.ts'

const daysAhead = 60
/** The first request looks ahead, the others ask whether a rental fits. */
const fitsMax = 2

/** Returns a function that finds the next dates on which a sold-out vehicle is free, one after the other. */
export function freeDates(flow: Flow, signal: AbortSignal) {
  const found = new Map<Vehicle, Promise<Fields | undefined>>()
  let last: Promise<unknown> = Promise.resolve()
  let isOff = false
  return (vehicle: Vehicle): Promise<Fields | undefined> => {
    const find = async () => (isOff ? undefined : nextDates(flow, vehicle, signal))
    const known =
      found.get(vehicle) ??
      last.then(find).catch((error: RentalApiError) => {
        isOff = error.code === 'RATE_LIMITED'
        return undefined
      })
    found.set(vehicle, known)
    last = known
    return known
  }
}

/** Returns the first period of the wanted length that starts after the sold-out ones and is free. */
async function nextDates(
  flow: Flow,
  { group, availability }: Vehicle,
  signal: AbortSignal,
): Promise<Fields | undefined> {
  const { config, rental, shared } = flow
  const { from } = availability
  const until = new Date(Date.parse(availability.to) + daysAhead * 86_400_000).toISOString()
  const ask = async (range: { readonly from: string; readonly to: string }) => {
    const asked = await rental.getAvailability(group.id, range, { signal })
    for (const period of asked.soldOut) taken.push([wall(period.from), wall(period.to)])
    return asked.available
  }
  const wall = (instant: string) => wallClockMs(new Date(instant), config.timeZone)
  const taken: (readonly [fromMs: number, toMs: number])[] = []
  await ask({ from, to: until })
  const wanted = [wall(from), wall(availability.to)] as const
  for (let fits = 0; fits < fitsMax; fits++) {
    const dates = firstGap(flow, wanted, taken)
    const period = dates && shared.periodOf(config, dates)
    if (!dates || !period) return undefined
    if (await ask({ from: period.pickupDatetime, to: period.dropoffDatetime })) return dates
    const pickupMs = wall(period.pickupDatetime)
    // No period says why it does not fit.
    taken.push([pickupMs, pickupMs + 1])
  }
  return undefined
}

/** Returns the first rental after the wanted start, within the offered times, that is not taken. */
function firstGap(
  { config, shared }: Flow,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
  taken: readonly (readonly [fromMs: number, toMs: number])[],
): Fields | undefined {
  const first = new Date(fromMs).toISOString().slice(0, 10)
  for (let day = 0; day < daysAhead; day++) {
    const pickupDate = dateAfter(first, day)
    for (const pickupTime of shared.timesOn(config, 'pickup', pickupDate)) {
      const startMs = Date.parse(`${pickupDate}T${pickupTime}Z`)
      const endMs = startMs + toMs - fromMs
      const isTaken = taken.some(([from, to]) => startMs < to && from < endMs)
      if (startMs <= fromMs || isTaken) continue
      const end = new Date(endMs).toISOString()
      const [dropoffDate, dropoffTime] = [end.slice(0, 10), end.slice(11, 16)]
      if (shared.timesOn(config, 'dropoff', dropoffDate).includes(dropoffTime)) {
        return { pickupDate, pickupTime, dropoffDate, dropoffTime }
      }
    }
  }
  return undefined
}
