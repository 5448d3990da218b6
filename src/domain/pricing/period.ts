import { instantMs, wallClockMs } from '../timeZone.ts'
import { dayHours, dayMinutes, dayMs, hourMinutes, minuteMs } from '../units.ts'

/** A rental from pickup to drop-off, in the tenant's time zone. */
export interface Period {
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly timeZone: string
}

/** Whole local days, and the elapsed minutes after the last of them. */
export interface RentalLength {
  readonly days: number
  readonly restMinutes: number
}

/**
 * Returns the length of a rental: whole local days from the pickup, then elapsed minutes. A started
 * minute counts as a whole one.
 * @throws RangeError if the drop-off is not after the pickup
 */
export function rentalLength(period: Period): RentalLength {
  const { pickupAt, dropoffAt, timeZone } = period
  const dropoffMs = dropoffAt.getTime()
  if (!(dropoffMs > pickupAt.getTime())) {
    throw new RangeError('The drop-off must be after the pickup')
  }
  const wallMs = wallClockMs(dropoffAt, timeZone) - wallClockMs(pickupAt, timeZone)
  // Because of clock changes, the local difference can be one day too small or too large. Start one
  // day higher and count down.
  let days = Math.max(0, Math.floor(wallMs / dayMs) + 1)
  while (days > 0 && dayBeginMs(period, days) > dropoffMs) days -= 1
  return { days, restMinutes: Math.ceil((dropoffMs - dayBeginMs(period, days)) / minuteMs) }
}

/** Returns when a day of the rental begins: at the local time of the pickup. The first day is 0. */
function dayBeginMs({ pickupAt, timeZone }: Period, day: number): number {
  // Return the pickup itself for day 0: converting its local time back is ambiguous during a clock
  // change.
  return day === 0 ? pickupAt.getTime() : dayAfterMs(pickupAt, day, timeZone)
}

/** Returns the instant that is `days` local days later. */
export function dayAfterMs(at: Date, days: number, timeZone: string): number {
  return instantMs(wallClockMs(at, timeZone) + days * dayMs, timeZone)
}

/** Returns the day number of the local date on which a day of the rental begins. */
export function dayDate(period: Period, day: number): number {
  return dayNumber(new Date(dayBeginMs(period, day)), period.timeZone)
}

/** Returns the day number of an instant's local date: days since 1970-01-01. */
export function dayNumber(at: Date, timeZone: string): number {
  return Math.floor(wallClockMs(at, timeZone) / dayMs)
}

/** Returns the instant at which a day number begins in the zone. */
export const startOfDay = (date: number, timeZone: string) =>
  new Date(instantMs(date * dayMs, timeZone))

/** Formats a day number as YYYY-MM-DD. */
export function formatDate(date: number): string {
  return new Date(date * dayMs).toISOString().slice(0, 10)
}

/** Parses YYYY-MM-DD into a day number. Consecutive dates have consecutive numbers. */
export function parseDate(date: string): number {
  return Date.parse(date) / dayMs
}

/** Formats an instant as the local date, YYYY-MM-DD. */
export const localDate = (at: Date, timeZone: string) => formatDate(dayNumber(at, timeZone))

/** Formats an instant as the local date and time, YYYY-MM-DD HH:MM. */
export const localMinute = (at: Date, timeZone: string) => localDateTime(at, timeZone).slice(0, 16)

/** Formats an instant as the local date and time, YYYY-MM-DD HH:MM:SS. */
export function localDateTime(at: Date, timeZone: string): string {
  return new Date(wallClockMs(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ')
}

/** The longest grace period. With a whole day of grace, that day would be free. */
export const gracePeriodMinutesMax = dayMinutes - 1

/** Returns the charged length. After a full day, remaining minutes within the grace are free. */
export function chargedLength(length: RentalLength, gracePeriodMinutes: number): RentalLength {
  const free = length.days >= 1 && length.restMinutes <= gracePeriodMinutes
  return free ? { days: length.days, restMinutes: 0 } : length
}

/** Returns the started hours beyond the full days. Expects a charged length. */
export function startedHours(length: RentalLength): number {
  return Math.ceil(length.restMinutes / hourMinutes)
}

/** Returns the days for which an extra is charged. Charged minutes count as one more day. */
export function chargedDays(length: RentalLength): number {
  return length.restMinutes > 0 ? length.days + 1 : length.days
}

/** Returns the length for a price breakdown, where a started 24th hour counts as a day. */
export function breakdownLength(length: RentalLength): { days: number; hours: number } {
  const hours = startedHours(length)
  return hours < dayHours ? { days: length.days, hours } : { days: length.days + 1, hours: 0 }
}
