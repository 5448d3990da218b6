/**
 * What src/domain/timeZone.ts does, for a page: it asks seldom, so nothing is looked through and
 * remembered. The build puts it in that file's place; a test compares the two.
 */

/** The instant as the zone's wall clock shows it, in milliseconds as if that clock were UTC. */
export function wallClockMs(at: Date, timeZone: string): number {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  // Swedish writes 2027-06-01 10:00:00.
  const written = new Intl.DateTimeFormat('sv', options).format(at)
  return Date.parse(`${written.replace(' ', 'T')}Z`) + (at.getTime() % 1000)
}

/** The instant at which the zone's wall clock shows this; as Temporal's `compatible`. */
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
