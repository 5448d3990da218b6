import { tzOffset } from '@date-fns/tz'
import { dayMs, minuteMs } from './units.ts'

/** Days cached per zone, almost three years. Bookings span less. */
const cachedDaysMax = 1_000

/**
 * Minutes from UTC by zone and UTC day; null for a day on which the offset changes. Cached because
 * Intl is slower than the rest of a price calculation.
 */
const offsetsByZone = new Map<string, Map<number, number | null>>()

/** Reports whether a text is an IANA time zone name. Offsets such as `+02:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns a zone in the spelling of the IANA database: `Europe/Oslo` for `europe/oslo`. */
export function canonicalTimeZone(name: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
  // Intl replaces an alias with the zone's older name. Keep the name that was given.
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
}

/** Converts an instant to the zone's local time, in milliseconds as if that time were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const atMs = at.getTime()
  return atMs + offsetMs(atMs, timeZone)
}

/**
 * Converts a zone's local time to an instant. A repeated local time gives the first instant, a
 * skipped one is moved forward by the gap, as in Temporal's `compatible` mode.
 */
export function instantMs(wallMs: number, timeZone: string): number {
  // Zones differ from UTC by less than a day, so these two times enclose the instant.
  const before = offsetMs(wallMs - dayMs, timeZone)
  const after = offsetMs(wallMs + dayMs, timeZone)
  const byBefore = wallMs - before
  if (before === after || offsetMs(byBefore, timeZone) === before) return byBefore
  const byAfter = wallMs - after
  return offsetMs(byAfter, timeZone) === after ? byAfter : byBefore
}

/** Returns the instant some months earlier in the zone's calendar: 28 February for 31 March. */
export function monthsBefore(at: Date, months: number, timeZone: string): Date {
  const wall = new Date(wallClockMs(at, timeZone))
  const day = wall.getUTCDate()
  wall.setUTCMonth(wall.getUTCMonth() - months)
  // A day that the month lacks has become a day of the next month; day 0 is the last of this month.
  if (wall.getUTCDate() !== day) wall.setUTCDate(0)
  return new Date(instantMs(wall.getTime(), timeZone))
}

function offsetMs(atMs: number, timeZone: string): number {
  const days = offsetsByZone.get(timeZone) ?? cacheZone(timeZone)
  const day = Math.floor(atMs / dayMs)
  let minutes = days.get(day)
  if (minutes === undefined) minutes = cacheDay(days, day, timeZone)
  return (minutes ?? tzOffset(timeZone, new Date(atMs))) * minuteMs
}

function cacheZone(timeZone: string): Map<number, number | null> {
  // tzOffset returns a guess for some names that are not zones.
  if (!isTimeZone(timeZone)) throw new RangeError(`"${timeZone}" is not an IANA time zone`)
  const days = new Map<number, number | null>()
  offsetsByZone.set(timeZone, days)
  return days
}

/** Compares the offsets at both ends of the day: no zone changes its offset twice in a day. */
function cacheDay(days: Map<number, number | null>, day: number, timeZone: string) {
  if (days.size >= cachedDaysMax) days.clear()
  const begin = tzOffset(timeZone, new Date(day * dayMs))
  const minutes = begin === tzOffset(timeZone, new Date((day + 1) * dayMs)) ? begin : null
  days.set(day, minutes)
  return minutes
}
