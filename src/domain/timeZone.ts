import { tzOffset } from '@date-fns/tz'
import { dayMs, minuteMs } from './units.ts'

/** For each zone almost three years, which is more than bookings are spread over. */
const rememberedDaysMax = 1_000

/**
 * Minutes from UTC by zone and day of UTC, null for a day on which the clock is changed. Asking Intl
 * costs more than the rest of a price, so what it said is kept, and in this module: as an argument it
 * would go through every function of a price, and change no answer (decision 113).
 */
const offsetsByZone = new Map<string, Map<number, number | null>>()

/** True for an IANA time zone name; a bare offset such as `+02:00` never changes its clock. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A time zone in the spelling of the IANA database, such as `Europe/Oslo` for `europe/oslo`. */
export function spellTimeZone(name: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
  // Of a zone with two names Intl tells the older one: that would be another name, not a spelling.
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
}

/** The instant as the zone's wall clock shows it, in milliseconds as if that clock were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const atMs = at.getTime()
  return atMs + offsetMs(atMs, timeZone)
}

/**
 * The instant at which the zone's wall clock shows this. Where it shows it twice, the first time;
 * where it skips it, as much later as the clock went forward (Temporal's `compatible`).
 */
export function instantMs(wallMs: number, timeZone: string): number {
  // No zone is as far from UTC as a day: of these two, one lies before the instant, one after it.
  const before = offsetMs(wallMs - dayMs, timeZone)
  const after = offsetMs(wallMs + dayMs, timeZone)
  const byBefore = wallMs - before
  if (before === after || offsetMs(byBefore, timeZone) === before) return byBefore
  const byAfter = wallMs - after
  return offsetMs(byAfter, timeZone) === after ? byAfter : byBefore
}

function offsetMs(atMs: number, timeZone: string): number {
  const days = offsetsByZone.get(timeZone) ?? rememberZone(timeZone)
  const day = Math.floor(atMs / dayMs)
  let minutes = days.get(day)
  if (minutes === undefined) minutes = rememberDay(days, day, timeZone)
  return (minutes ?? tzOffset(timeZone, new Date(atMs))) * minuteMs
}

function rememberZone(timeZone: string): Map<number, number | null> {
  // The library guesses an offset out of some names that are no zones; no price may rest on that.
  if (!isTimeZone(timeZone)) throw new RangeError(`"${timeZone}" is not an IANA time zone`)
  const days = new Map<number, number | null>()
  offsetsByZone.set(timeZone, days)
  return days
}

/** No clock is changed twice within a day. */
function rememberDay(days: Map<number, number | null>, day: number, timeZone: string) {
  if (days.size >= rememberedDaysMax) days.clear()
  const begin = tzOffset(timeZone, new Date(day * dayMs))
  const minutes = begin === tzOffset(timeZone, new Date((day + 1) * dayMs)) ? begin : null
  days.set(day, minutes)
  return minutes
}
