import { dateBegin } from './pricing/period.ts'
import { dayMinutes, minuteMs } from './units.ts'

/** A group's vehicles, and all that takes them around some time. */
export interface GroupStock {
  /** None in an archived group. */
  readonly vehicles: number
  readonly turnaroundMinutes: number
  /** Bookings that take a vehicle, by their own times; pending ones that still hold among them. */
  readonly activeBookings: readonly {
    readonly pickupMs: number
    readonly dropoffMs: number
    readonly confirmed: boolean
  }[]
  readonly blocks: readonly {
    readonly assetId: string
    readonly fromMs: number
    readonly toMs: number
  }[]
}

/** How a group stands over a time; all counts of vehicles. */
interface Load {
  /** Vehicles that no block takes out at any moment of it. */
  readonly inService: number
  /** The most that confirmed bookings take at any one moment: what `confirm` asks (decision 57). */
  readonly confirmed: number
  /** The most that confirmed and pending bookings take together (decision 54). */
  readonly held: number
}

/** Vehicles left at the peak of bookings; none, never fewer, when overbooked (decision 54). */
export function availableCount(counted: { readonly inService: number; readonly peak: number }) {
  return Math.max(0, counted.inService - counted.peak)
}

/**
 * Counts a group over [fromMs, toMs), as the statement in db/availability.ts does, but for any
 * number of times at the price of one (decision 355).
 */
export function occupancyOf({ vehicles, turnaroundMinutes, activeBookings, blocks }: GroupStock) {
  const steps = activeBookings
    .flatMap(({ pickupMs, dropoffMs, confirmed }) => [
      { atMs: pickupMs, confirmed: confirmed ? 1 : 0, held: 1 },
      {
        atMs: availableFromMs(dropoffMs, turnaroundMinutes),
        confirmed: confirmed ? -1 : 0,
        held: -1,
      },
    ])
    // At one instant what ends comes first, so touching rentals don't meet.
    .sort((a, b) => a.atMs - b.atMs || a.held - b.held)
  // Changes become running totals: how many are taken from a step on, until the next.
  for (const [index, step] of steps.entries()) {
    step.confirmed += steps[index - 1]?.confirmed ?? 0
    step.held += steps[index - 1]?.held ?? 0
  }
  return (fromMs: number, toMs: number): Load => {
    const touching = blocks.filter((block) => block.fromMs < toMs && block.toMs > fromMs)
    const blocked = new Set(touching.map(({ assetId }) => assetId)).size
    const first = firstAfter(steps, fromMs)
    // The step before is the one that still lasts when the time begins.
    let { confirmed, held } = steps[first - 1] ?? { confirmed: 0, held: 0 }
    for (let index = first; index < steps.length; index += 1) {
      const step = steps[index]
      if (step === undefined || step.atMs >= toMs) break
      confirmed = Math.max(confirmed, step.confirmed)
      held = Math.max(held, step.held)
    }
    return { inService: Math.max(0, vehicles - blocked), confirmed, held }
  }
}

/** The index of the first step after an instant, in logarithmic time: a group may have thousands. */
function firstAfter(steps: readonly { readonly atMs: number }[], instantMs: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.atMs ?? 0) <= instantMs) low = middle + 1
    else high = middle
  }
  return low
}

export const turnaroundMinutesMax = 30 * dayMinutes

/** When a rental's vehicle is free again: after its turnaround (decision 56). */
export function availableFromMs(dropoffMs: number, turnaroundMinutes: number): number {
  return dropoffMs + turnaroundMinutes * minuteMs
}

/** Days from one to another; dates as numbers, both included. */
interface Days {
  readonly fromDay: number
  readonly toDay: number
}

/**
 * How a group stands on each day, days that are alike taken together; those of `breaks` begin a line
 * of their own, however alike.
 */
export function groupDays(
  load: (fromMs: number, toMs: number) => Load,
  { fromDay, toDay }: Days,
  timeZone: string,
  breaks: readonly number[],
) {
  const spans: (Load & Days)[] = []
  for (let day = fromDay; day <= toDay; day += 1) {
    const found = load(Number(dateBegin(day, timeZone)), Number(dateBegin(day + 1, timeZone)))
    const last = spans.at(-1)
    const alike =
      !breaks.includes(day) &&
      last?.inService === found.inService &&
      last.confirmed === found.confirmed &&
      last.held === found.held
    if (alike) spans[spans.length - 1] = { ...last, toDay: day }
    else spans.push({ ...found, fromDay: day, toDay: day })
  }
  return spans
}
