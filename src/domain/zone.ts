import { tzOffset } from '@date-fns/tz'

const minuteMs = 60_000
const dayMs = 86_400_000

/** About fifty years of days: enough for every tenant of a process, a megabyte at most. */
const rememberedDaysMax = 20_000

/**
 * Asking Intl for an offset costs more than the rest of a price, so the offset of a UTC day is kept
 * per zone. NaN marks a day in which the clock changes: there the instant itself is asked about.
 */
const offsetsByZone = new Map<string, Map<number, number>>()
let rememberedDays = 0

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

/** The instant as the zone's wall clock shows it, in milliseconds as if that clock were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const atMs = at.getTime()
  return atMs + offsetMinutes(atMs, timeZone) * minuteMs
}

function offsetMinutes(atMs: number, timeZone: string): number {
  const offsets = offsetsByZone.get(timeZone) ?? rememberZone(timeZone)
  const day = Math.floor(atMs / dayMs)
  const offset = offsets.get(day) ?? rememberDay(offsets, day, timeZone)
  return Number.isNaN(offset) ? tzOffset(timeZone, new Date(atMs)) : offset
}

function rememberZone(timeZone: string): Map<number, number> {
  // The library guesses an offset out of some names that are no zones; no price may rest on that.
  if (!isTimeZone(timeZone)) throw new RangeError(`"${timeZone}" is not an IANA time zone`)
  const offsets = new Map<number, number>()
  offsetsByZone.set(timeZone, offsets)
  return offsets
}

function rememberDay(offsets: Map<number, number>, day: number, timeZone: string): number {
  const first = tzOffset(timeZone, new Date(day * dayMs))
  const last = tzOffset(timeZone, new Date((day + 1) * dayMs))
  const offset = first === last ? first : Number.NaN
  if (rememberedDays >= rememberedDaysMax) forget()
  offsets.set(day, offset)
  rememberedDays += 1
  return offset
}

function forget(): void {
  for (const offsets of offsetsByZone.values()) offsets.clear()
  rememberedDays = 0
}
