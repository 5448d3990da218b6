import type { Load } from './groupLoad.ts'
import { dayMs } from './units.ts'
import { instantMs } from './zone.ts'

/** Days from one to another; dates as numbers, both included. */
interface Days {
  readonly fromDay: number
  readonly toDay: number
}

interface Calendar extends Days {
  readonly timeZone: string
  /** Days that begin a line of their own, however alike. */
  readonly breaks: readonly number[]
}

/** How a group stands on each day of a calendar, days that are alike taken together. */
export function groupDays(
  load: (fromMs: number, toMs: number) => Load,
  { fromDay, toDay, timeZone, breaks }: Calendar,
): (Load & Days)[] {
  const spans: (Load & Days)[] = []
  for (let day = fromDay; day <= toDay; day += 1) {
    const found = load(instantMs(day * dayMs, timeZone), instantMs((day + 1) * dayMs, timeZone))
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
