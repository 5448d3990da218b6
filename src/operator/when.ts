import { localDateTime, type RentalLength, shownLength } from '../domain/period.ts'
import { dayMinutes, dayMs, hourMinutes, minuteMs } from '../domain/units.ts'
import { wallClockMs } from '../domain/zone.ts'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const pastDays = 60
const comingDays = 300

/** `01 Mar 11:00` on the zone's clock; as in `ls -l` the year instead of the time when it is far. */
export function shortTime(at: Date, timeZone: string, now: Date): string {
  const local = localDateTime(at, timeZone)
  const days = (at.getTime() - now.getTime()) / dayMs
  const near = days > -pastDays && days < comingDays
  const month = months[Number(local.slice(5, 7)) - 1]
  return `${local.slice(8, 10)} ${month} ${near ? local.slice(11, 16) : ` ${local.slice(0, 4)}`}`
}

/** `Mon 1 Mar 2027 11:00` on the zone's clock. */
export function longTime(at: Date, timeZone: string): string {
  const local = new Date(wallClockMs(at, timeZone))
  return `${dayName(local)} ${local.getUTCFullYear()} ${local.toISOString().slice(11, 16)}`
}

/** `Mon 1 Mar` of a date, YYYY-MM-DD. */
export function shortDay(date: string): string {
  return dayName(new Date(date))
}

function dayName(utc: Date): string {
  return `${weekdays[utc.getUTCDay()]} ${utc.getUTCDate()} ${months[utc.getUTCMonth()]}`
}

/** `3d 4h`, a started hour being one. */
export function shortLength(length: RentalLength): string {
  const { days, hours } = shownLength(length)
  return [days > 0 && `${days}d`, hours > 0 && `${hours}h`].filter(Boolean).join(' ')
}

/** How long ago, in whole minutes, hours or days. */
export function age(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / minuteMs))
  if (minutes < hourMinutes) return `${minutes}m`
  return minutes < 2 * dayMinutes
    ? `${Math.floor(minutes / hourMinutes)}h`
    : `${Math.floor(minutes / dayMinutes)}d`
}
