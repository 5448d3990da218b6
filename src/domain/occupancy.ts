import { dayMinutes, minuteMs } from './units.ts'

export interface Occupancy {
  /** Vehicles without a block in the period; 0 in an archived group. */
  readonly inService: number
  /** The peak of confirmed bookings, which `confirm` compares with `inService`. */
  readonly confirmed: number
  /** The peak of confirmed and pending bookings together. */
  readonly held: number
}

/** The counts of a group for a rental. */
export interface RentalCount {
  /** Vehicles without a block during the rental and its turnaround. */
  readonly inService: number
  /** The most bookings at any moment of the rental and its turnaround. */
  readonly peak: number
  /** The pickup of another booking that has no vehicle if the rental takes one, because of a block. */
  readonly shortPickup: Date | null
}

/** Returns how many vehicles a rental can have, 0 when it overbooks the group. */
export function availableCount({ inService, peak, shortPickup }: RentalCount): number {
  return shortPickup === null ? Math.max(0, inService - peak) : 0
}

export const turnaroundMinutesMax = 30 * dayMinutes

export function availableFrom(dropoffAt: Date, turnaroundMinutes: number): Date {
  return new Date(dropoffAt.getTime() + turnaroundMinutes * minuteMs)
}

/** A range of day numbers, both ends included. */
interface Days {
  readonly fromDay: number
  readonly toDay: number
}

/**
 * Merges consecutive days with equal counts. `counts` has one entry for each day from `firstDay`.
 * Each day in `breaks` begins a new span.
 */
export function groupDays(
  counts: readonly Occupancy[],
  firstDay: number,
  breaks: readonly number[],
) {
  const spans: (Occupancy & Days)[] = []
  for (const [index, found] of counts.entries()) {
    const day = firstDay + index
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
