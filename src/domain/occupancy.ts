import { startOfDay } from './pricing/period.ts'
import { dayMinutes, minuteMs } from './units.ts'

/** Pickup and drop-off times. The lists are unordered and not paired. */
export interface BookingTimes {
  readonly pickupsMs: readonly number[]
  readonly dropoffsMs: readonly number[]
}

/** The vehicles of a group, and the bookings and blocks around a time. */
export interface GroupStock {
  /** 0 in an archived group. */
  readonly vehicles: number
  readonly turnaroundMinutes: number
  readonly confirmed: BookingTimes
  /** Pending bookings that still hold a vehicle. */
  readonly pending: BookingTimes
  readonly blocks: readonly {
    readonly assetId: string
    readonly fromMs: number
    readonly toMs: number
  }[]
}

/** Vehicle counts of a group over a window. */
interface Occupancy {
  /** Vehicles without a block in the window. */
  readonly inService: number
  /** The peak of confirmed bookings, which `confirm` compares with `inService`. */
  readonly confirmed: number
  /** The peak of confirmed and pending bookings together. */
  readonly held: number
}

/** Returns how many vehicles are left at the peak of bookings, 0 when overbooked. */
export function availableCount(counted: { readonly inService: number; readonly peak: number }) {
  return Math.max(0, counted.inService - counted.peak)
}

/**
 * Returns a function that counts the vehicles and bookings of a group in a range [fromMs, toMs).
 * Call the function for any number of ranges.
 */
export function occupancyOf(stock: GroupStock) {
  const confirmed = timelineOf(stock.turnaroundMinutes, [stock.confirmed])
  const held = timelineOf(stock.turnaroundMinutes, [stock.confirmed, stock.pending])
  return (fromMs: number, toMs: number): Occupancy => ({
    inService: inServiceOf(stock, fromMs, toMs),
    confirmed: peakOf(confirmed, fromMs, toMs),
    held: peakOf(held, fromMs, toMs),
  })
}

/** Returns how many vehicles have no block in [fromMs, toMs). */
export function inServiceOf({ vehicles, blocks }: GroupStock, fromMs: number, toMs: number) {
  const touching = blocks.filter((block) => block.fromMs < toMs && block.toMs > fromMs)
  return Math.max(0, vehicles - new Set(touching.map(({ assetId }) => assetId)).size)
}

/** The times at which bookings take and release vehicles, both sorted. */
interface Timeline {
  readonly takenMs: Float64Array
  readonly releasedMs: Float64Array
}

/** Builds the sorted timeline of some bookings, with the turnaround after each. */
export function timelineOf(turnaroundMinutes: number, bookings: readonly BookingTimes[]): Timeline {
  const turnaroundMs = turnaroundMinutes * minuteMs
  const pickupsMs = bookings.flatMap((times) => times.pickupsMs)
  const dropoffsMs = bookings.flatMap((times) => times.dropoffsMs)
  return {
    takenMs: new Float64Array(pickupsMs).sort(),
    releasedMs: new Float64Array(dropoffsMs.map((atMs) => atMs + turnaroundMs)).sort(),
  }
}

/** Returns the most vehicles taken at any moment of [fromMs, toMs). */
export function peakOf({ takenMs, releasedMs }: Timeline, fromMs: number, toMs: number): number {
  let taken = countUntil(takenMs, fromMs)
  let released = countUntil(releasedMs, fromMs)
  let peak = taken - released
  for (let atMs = takenMs[taken]; atMs !== undefined && atMs < toMs; atMs = takenMs[taken]) {
    taken += 1
    // A vehicle released at this instant is available to a booking that begins now.
    while ((releasedMs[released] ?? Infinity) <= atMs) released += 1
    peak = Math.max(peak, taken - released)
  }
  return peak
}

/** Returns how many of the sorted instants are not after `atMs`. */
function countUntil(instantsMs: Float64Array, atMs: number): number {
  let [low, high] = [0, instantsMs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((instantsMs[middle] ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low
}

export const turnaroundMinutesMax = 30 * dayMinutes

/** Returns the time from which the vehicle of a rental is available again. */
export function availableFromMs(dropoffMs: number, turnaroundMinutes: number): number {
  return dropoffMs + turnaroundMinutes * minuteMs
}

/** A range of day numbers, both ends included. */
interface Days {
  readonly fromDay: number
  readonly toDay: number
}

/**
 * Returns the counts of a group by local day, and merges consecutive days with equal counts. Each
 * day in `breaks` begins a new span.
 */
export function groupDays(
  load: (fromMs: number, toMs: number) => Occupancy,
  { fromDay, toDay }: Days,
  timeZone: string,
  breaks: readonly number[],
) {
  const spans: (Occupancy & Days)[] = []
  for (let day = fromDay; day <= toDay; day += 1) {
    const found = load(Number(startOfDay(day, timeZone)), Number(startOfDay(day + 1, timeZone)))
    const last = spans.at(-1)
    const isSame =
      !breaks.includes(day) &&
      last?.inService === found.inService &&
      last.confirmed === found.confirmed &&
      last.held === found.held
    if (isSame) spans[spans.length - 1] = { ...last, toDay: day }
    else spans.push({ ...found, fromDay: day, toDay: day })
  }
  return spans
}
