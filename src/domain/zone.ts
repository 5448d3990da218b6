import { tzOffset } from '@date-fns/tz'
import { dayMs, minuteMs } from './units.ts'

/** How much of a zone is looked through at a time, and how many such parts are remembered. */
const partMs = 128 * dayMs
const rememberedPartsMax = 1_000

/** A time, up to but without `toMs`, in which a zone's clock is not changed. */
interface SteadySpan {
  readonly toMs: number
  readonly offsetMs: number
}

/**
 * Asking Intl for an offset costs more than the rest of a price, so what it said is kept, here: passed
 * on, it would go through every function of a price, and change no answer (decision 113).
 */
const partsByZone = new Map<string, Map<number, readonly SteadySpan[]>>()
let rememberedParts = 0

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
  const same = (other: string) => other.toLowerCase() === name.toLowerCase()
  // Of a zone with two names Intl tells the older one: that would be another name, not a spelling.
  return [timeZone, ...Intl.supportedValuesOf('timeZone')].find(same) ?? name
}

/** The instant as the zone's wall clock shows it, in milliseconds as if that clock were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const atMs = at.getTime()
  return atMs + spanAt(atMs, timeZone).offsetMs
}

/**
 * The instant at which the zone's wall clock shows this. Where it shows it twice, the first time;
 * where it skips it, as much later as the clock went forward (Temporal's `compatible`).
 */
export function instantMs(wallMs: number, timeZone: string): number {
  // No zone is as far from UTC as a day: of these two, one lies before the instant, one after it.
  const before = spanAt(wallMs - dayMs, timeZone).offsetMs
  const after = spanAt(wallMs + dayMs, timeZone).offsetMs
  const byBefore = wallMs - before
  if (before === after || spanAt(byBefore, timeZone).offsetMs === before) return byBefore
  const byAfter = wallMs - after
  return spanAt(byAfter, timeZone).offsetMs === after ? byAfter : byBefore
}

function spanAt(atMs: number, timeZone: string): SteadySpan {
  const parts = partsByZone.get(timeZone) ?? rememberZone(timeZone)
  const part = Math.floor(atMs / partMs)
  const spans = parts.get(part) ?? rememberPart(parts, part, timeZone)
  for (const span of spans) if (atMs < span.toMs) return span
  throw new RangeError('Not an instant')
}

function rememberZone(timeZone: string): Map<number, readonly SteadySpan[]> {
  // The library guesses an offset out of some names that are no zones; no price may rest on that.
  if (!isTimeZone(timeZone)) throw new RangeError(`"${timeZone}" is not an IANA time zone`)
  const parts = new Map<number, readonly SteadySpan[]>()
  partsByZone.set(timeZone, parts)
  return parts
}

function rememberPart(parts: Map<number, readonly SteadySpan[]>, part: number, timeZone: string) {
  if (rememberedParts >= rememberedPartsMax) forget()
  const spans = spansBetween(part * partMs, (part + 1) * partMs, timeZone)
  parts.set(part, spans)
  rememberedParts += 1
  return spans
}

/** Day by day: no clock is changed twice within a day. Changes are on a full minute of UTC. */
function spansBetween(fromMs: number, endMs: number, timeZone: string): SteadySpan[] {
  const spans: SteadySpan[] = []
  let offset = tzOffset(timeZone, new Date(fromMs))
  const close = (toMs: number) => spans.push({ toMs, offsetMs: offset * minuteMs })
  for (let dayFromMs = fromMs; dayFromMs < endMs; dayFromMs += dayMs) {
    const next = tzOffset(timeZone, new Date(dayFromMs + dayMs))
    if (next === offset) continue
    close(changeBetween(dayFromMs, dayFromMs + dayMs, offset, timeZone))
    offset = next
  }
  close(endMs)
  return spans
}

/** The first minute at which the offset is no longer the given one. */
function changeBetween(fromMs: number, toMs: number, offset: number, timeZone: string): number {
  let [lastBefore, firstAfter] = [fromMs / minuteMs, toMs / minuteMs]
  while (firstAfter - lastBefore > 1) {
    const middle = Math.floor((lastBefore + firstAfter) / 2)
    if (tzOffset(timeZone, new Date(middle * minuteMs)) === offset) lastBefore = middle
    else firstAfter = middle
  }
  return firstAfter * minuteMs
}

function forget(): void {
  for (const parts of partsByZone.values()) parts.clear()
  rememberedParts = 0
}
