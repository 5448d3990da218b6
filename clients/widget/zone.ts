/**
 * A smaller implementation of src/domain/timeZone.ts without its caches. The build replaces that file
 * with this one; a test compares the two.
 */

/** Returns the zone's local time at an instant, in milliseconds as if it were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  // The Swedish format is 2027-06-01 10:00:00.
  const written = new Intl.DateTimeFormat('sv', options).format(at)
  return Date.parse(`${written.replace(' ', 'T')}Z`) + (at.getTime() % 1000)
}

/** Returns the instant of a local time, with Temporal's disambiguation `compatible`. */
export function instantMs(wallMs: number, timeZone: string): number {
  const offsetAt = (ms: number) => wallClockMs(new Date(ms), timeZone) - ms
  const before = offsetAt(wallMs - dayMs)
  const after = offsetAt(wallMs + dayMs)
  const byBefore = wallMs - before
  if (offsetAt(byBefore) === before) return byBefore
  const byAfter = wallMs - after
  return offsetAt(byAfter) === after ? byAfter : byBefore
}

export const dayMs = 86_400_000
