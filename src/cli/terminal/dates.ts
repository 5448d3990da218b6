import { breakdownLength, type RentalLength } from '../../domain/pricing/period.ts'
import { wallClockMs } from '../../domain/timeZone.ts'
import { dayMinutes, dayMs, hourMinutes, minuteMs } from '../../domain/units.ts'

const pastDays = 60
const comingDays = 300

/**
 * Formats a local time as `01 Mar 11:00`. For distant dates, shows the year instead of the time.
 */
export function shortTime(at: Date, timeZone: string, now: Date): string {
  const { day, month, year, time } = dateParts(wallClockMs(at, timeZone))
  const days = (at.getTime() - now.getTime()) / dayMs
  const near = days > -pastDays && days < comingDays
  return `${day} ${month} ${near ? time : ` ${year}`}`
}

/** Formats a local time as `Mon 1 Mar 2027 11:00`. */
export function longTime(at: Date, timeZone: string): string {
  const { weekday, day, month, year, time } = dateParts(wallClockMs(at, timeZone))
  return `${weekday} ${Number(day)} ${month} ${year} ${time}`
}

/** Formats a date, given as YYYY-MM-DD, as `Mon 1 Mar`. */
export function shortDay(date: string): string {
  const { weekday, day, month } = dateParts(Date.parse(date))
  return `${weekday} ${Number(day)} ${month}`
}

/** Returns the parts of `toUTCString`, whose format ECMAScript defines. */
function dateParts(wallMs: number) {
  const [weekday, day, month, year, time = ''] = new Date(wallMs).toUTCString().split(/,? /)
  return { weekday, day, month, year, time: time.slice(0, 5) }
}

/** Formats a rental's length as `3d 4h`. A started hour counts as a whole hour. */
export function shortLength(length: RentalLength): string {
  const { days, hours } = breakdownLength(length)
  return [days > 0 && `${days}d`, hours > 0 && `${hours}h`].filter(Boolean).join(' ')
}

/** Formats the elapsed time in whole minutes, hours or days, such as `3h`. */
export function age(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / minuteMs))
  if (minutes < hourMinutes) return `${minutes}m`
  if (minutes < 2 * dayMinutes) return `${Math.floor(minutes / hourMinutes)}h`
  return `${Math.floor(minutes / dayMinutes)}d`
}
