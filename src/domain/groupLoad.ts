import { minuteMs } from './units.ts'

/** A booking that takes a vehicle, by its own times. */
interface Holding {
  readonly pickupMs: number
  readonly dropoffMs: number
  /** False: it is pending, and still holds. */
  readonly confirmed: boolean
}

/** A group's vehicles, and all that takes them around some time. */
export interface GroupStock {
  /** None in an archived group. */
  readonly vehicles: number
  readonly turnaroundMinutes: number
  readonly holdings: readonly Holding[]
  readonly blocks: readonly {
    readonly assetId: string
    readonly fromMs: number
    readonly toMs: number
  }[]
}

/** How a group stands over a time; all counts of vehicles. */
export interface Load {
  /** Vehicles that no block takes out at any moment of it. */
  readonly inService: number
  /** The most that confirmed bookings take at any one moment: what `confirm` asks (decision 57). */
  readonly confirmed: number
  /** The most that confirmed and pending bookings take together (decision 54). */
  readonly held: number
}

/**
 * Counts a group over [fromMs, toMs), as the statement in db/availability.ts does, but for any
 * number of times at the price of one (decision 355).
 */
export function loadOf(stock: GroupStock): (fromMs: number, toMs: number) => Load {
  const confirmed = stepsOf(stock, ({ confirmed }) => confirmed)
  const held = stepsOf(stock, () => true)
  return (fromMs, toMs) => {
    const touching = stock.blocks.filter((block) => block.fromMs < toMs && block.toMs > fromMs)
    const blocked = new Set(touching.map(({ assetId }) => assetId)).size
    return {
      inService: Math.max(0, stock.vehicles - blocked),
      confirmed: peak(confirmed, fromMs, toMs),
      held: peak(held, fromMs, toMs),
    }
  }
}

/** When a rental's vehicle is free again: after its turnaround (decision 56). */
export function freeAgainMs(dropoffMs: number, turnaroundMinutes: number): number {
  return dropoffMs + turnaroundMinutes * minuteMs
}

/**
 * How many are taken from each instant on, until the next. What ends and what begins at one instant
 * cancel, so touching rentals don't meet.
 */
function stepsOf(stock: GroupStock, counts: (holding: Holding) => boolean) {
  const changes = new Map<number, number>()
  const change = (atMs: number, by: number) => changes.set(atMs, (changes.get(atMs) ?? 0) + by)
  for (const holding of stock.holdings.filter(counts)) {
    change(holding.pickupMs, 1)
    change(freeAgainMs(holding.dropoffMs, stock.turnaroundMinutes), -1)
  }
  let taken = 0
  return [...changes]
    .sort(([a], [b]) => a - b)
    .map(([atMs, by]) => {
      taken += by
      return { atMs, taken }
    })
}

function peak(steps: ReturnType<typeof stepsOf>, fromMs: number, toMs: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.atMs ?? 0) <= fromMs) low = middle + 1
    else high = middle
  }
  // The step before is the one that still lasts when the time begins.
  let most = steps[low - 1]?.taken ?? 0
  for (let index = low; index < steps.length; index += 1) {
    const step = steps[index]
    if (step === undefined || step.atMs >= toMs) break
    most = Math.max(most, step.taken)
  }
  return most
}
