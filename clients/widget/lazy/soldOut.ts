import { chosenGroup } from '../choices.ts'
import type { Flow } from '../flow.ts'
import { instantMs, wallClockMs } from '../zone.ts'
import { firstOf, monthOf } from './months.ts'

/** Sold-out periods on the station's clock, in milliseconds as if it were UTC. */
type Periods = readonly (readonly [fromMs: number, toMs: number])[]

/** The months that were requested, by group and month. */
const known = new Map<string, Periods>()
const requestsMax = 20
/** Without a chosen vehicle, a day is sold out if it is for all vehicles, so each needs a request. */
const groupsMax = 4

export interface SoldOutDays {
  /** Reports whether a rental can neither begin nor end on a date; false until the month is loaded. */
  has(date: string): boolean
  /** Loads months that the calendar shows. */
  see(first: number, count: number): void
}

/** Returns the sold-out days of the chosen vehicle, or of all vehicles. Calls `onLoad` after each month. */
export function soldOutDays(flow: Flow, signal: AbortSignal, onLoad: () => void): SoldOutDays {
  const { config, rental, shared, visit } = flow
  let ids: readonly string[] = []
  let requests = 0
  let isOff = false
  let loading: Promise<void> = listGroups()

  async function listGroups(): Promise<void> {
    const chosen = visit.fields[chosenGroup]
    if (chosen) ids = [chosen]
    else {
      requests++
      const listed = await rental.listAssetGroups({ signal })
      const { category } = visit.fields
      const filtered = listed.filter((group) => group.category === category)
      const groups = filtered.length > 0 ? filtered : listed
      if (groups.length <= groupsMax) ids = groups.map(({ id }) => id)
    }
  }
  async function load(month: number): Promise<void> {
    const instant = (date: string) =>
      new Date(instantMs(Date.parse(date), config.timeZone)).toISOString()
    const range = { from: instant(firstOf(month)), to: instant(firstOf(month + 1)) }
    for (const id of ids) {
      const key = `${id} ${month}`
      if (known.has(key) || requests++ >= requestsMax) continue
      const { soldOut } = await rental.getAvailability(id, range, { signal })
      const wall = (at: string) => wallClockMs(new Date(at), config.timeZone)
      known.set(
        key,
        soldOut.map(({ from, to }) => [wall(from), wall(to)] as const),
      )
    }
    onLoad()
  }
  return {
    has(date) {
      const all = isOff ? [] : ids.map((id) => known.get(`${id} ${monthOf(date)}`))
      if (!all.every((periods) => periods?.length)) return false
      const times = shared.timesOn(config, 'dropoff', date)
      // A rental may end when a period begins, and begin when it ends.
      const isTaken = (time: string, periods: Periods = []) => {
        const ms = Date.parse(`${date}T${time}Z`)
        return periods.some(([fromMs, toMs]) => fromMs < ms && ms < toMs)
      }
      const isSoldOut = (periods?: Periods) => times.every((time) => isTaken(time, periods))
      return all.length > 0 && times.length > 0 && all.every(isSoldOut)
    },
    see(first, count) {
      const next = async () => {
        for (let at = 0; at < count && !isOff; at++) await load(first + at)
      }
      // One request at a time, so that a calendar does not take the place of searches.
      loading = loading.then(next).catch(() => {
        isOff = true
        onLoad()
      })
    },
  }
}
