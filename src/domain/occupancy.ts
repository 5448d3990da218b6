import { dayMinutes, minuteMs } from './units.ts'

export interface Occupancy {
  /** Vehicles without a block in the period; 0 in an archived group. */
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
