/** What the visitor picks: a calendar date and a time of day at the station. */
export interface WallClock {
  /** 2027-06-01 */
  readonly date: string
  /** 10:00 */
  readonly time: string
}

const dayMs = 86_400_000

/** The instant at which the station's clocks show this, wherever the visitor is. */
export function instantOf({ date, time }: WallClock, timeZone: string): string {
  const wallMs = Date.parse(`${date}T${time}:00Z`)
  // The offset at the instant itself is wanted, and is known only once the instant nearly is.
  const nearlyMs = wallMs - offsetMs(wallMs, timeZone)
  return new Date(wallMs - offsetMs(nearlyMs, timeZone)).toISOString()
}

/** Today at the station plus so many days. */
export function dateIn(days: number, timeZone: string): string {
  return daysLater(dateAt(Date.now(), timeZone), days)
}

/** The date that the station's clocks show at an instant. */
export function dateAt(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 10)
}

export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(atMs)
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  const day = [part('year'), part('month') - 1, part('day')] as const
  const wallMs = Date.UTC(...day, part('hour'), part('minute'), part('second'))
  return wallMs - Math.floor(atMs / 1000) * 1000
}
