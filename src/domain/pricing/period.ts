import { instantMs, wallClockMs } from '../timeZone.ts'
import { dayHours, dayMinutes, dayMs, hourMinutes, minuteMs } from '../units.ts'

/** A rental from its pickup to its drop-off, where the tenant is. */
export interface Period {
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly timeZone: string
}

/** Whole days on the tenant's clock, and the minutes that pass after the last of them. */
export interface RentalLength {
  readonly days: number
  readonly restMinutes: number
}

/**
 * How long a rental is (decisions 45 and 220): as many days as can be added to the pickup on the
 * tenant's clock, then elapsed minutes, a started one included.
 * @throws RangeError if the drop-off is not after the pickup
 */
export function rentalLength(period: Period): RentalLength {
  const { pickupAt, dropoffAt, timeZone } = period
  const dropoffMs = dropoffAt.getTime()
  if (!(dropoffMs > pickupAt.getTime())) {
    throw new RangeError('The drop-off must be after the pickup')
  }
  const wallMs = wallClockMs(dropoffAt, timeZone) - wallClockMs(pickupAt, timeZone)
  // A clock that was put back may show less than a day that is over, one put forward more.
  let days = Math.max(0, Math.floor(wallMs / dayMs) + 1)
  while (days > 0 && dayBeginMs(period, days) > dropoffMs) days -= 1
  return { days, restMinutes: Math.ceil((dropoffMs - dayBeginMs(period, days)) / minuteMs) }
}

/** When a day of the rental begins, the first being day 0: at the pickup's time of day. */
function dayBeginMs({ pickupAt, timeZone }: Period, day: number): number {
  // Not by the clock, which shows one hour twice a year.
  return day === 0 ? pickupAt.getTime() : dayAfterMs(pickupAt, day, timeZone)
}

/** So many days later on the zone's clock. */
export function dayAfterMs(at: Date, days: number, timeZone: string): number {
  return instantMs(wallClockMs(at, timeZone) + days * dayMs, timeZone)
}

/** The date, as a number, on which a day of a rental begins where the tenant is. */
export function dayDate(period: Period, day: number): number {
  return dayNumber(new Date(dayBeginMs(period, day)), period.timeZone)
}

/** The number of the date that the zone's clock shows. */
export function dayNumber(at: Date, timeZone: string): number {
  return Math.floor(wallClockMs(at, timeZone) / dayMs)
}

/** When the date of this number begins on the zone's clock. */
export const dateBegin = (date: number, timeZone: string) =>
  new Date(instantMs(date * dayMs, timeZone))

/** YYYY-MM-DD of the number of a date. */
export function writeDate(date: number): string {
  return new Date(date * dayMs).toISOString().slice(0, 10)
}

/** The number of a date, YYYY-MM-DD: consecutive dates have consecutive ones. */
export function readDate(date: string): number {
  return Date.parse(date) / dayMs
}

/** The calendar date, YYYY-MM-DD, that the zone's clock shows. */
export const localDate = (at: Date, timeZone: string) => writeDate(dayNumber(at, timeZone))

/** The date and time to the minute, YYYY-MM-DD HH:MM, that the zone's clock shows. */
export const localMinute = (at: Date, timeZone: string) => localDateTime(at, timeZone).slice(0, 16)

/** The date and time, YYYY-MM-DD HH:MM:SS, that the zone's clock shows. */
export function localDateTime(at: Date, timeZone: string): string {
  return new Date(wallClockMs(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ')
}

/** Less than a day, or a whole one would be free. */
export const gracePeriodMinutesMax = dayMinutes - 1

/** The length that is charged: after a full day, a rest within grace is free (decision 46). */
export function chargedLength(length: RentalLength, gracePeriodMinutes: number): RentalLength {
  const free = length.days >= 1 && length.restMinutes <= gracePeriodMinutes
  return free ? { days: length.days, restMinutes: 0 } : length
}

/** Started hours beyond the full days of a length, free ones already left out (decision 47). */
export function startedHours(length: RentalLength): number {
  return Math.ceil(length.restMinutes / hourMinutes)
}

/** The days an extra is charged for: a charged rest is one more (decision 50). */
export function chargedDays(length: RentalLength): number {
  return length.restMinutes > 0 ? length.days + 1 : length.days
}

/** As a breakdown shows it: a started 24th hour is a day (decision 6). */
export function shownLength(length: RentalLength): { days: number; hours: number } {
  const hours = startedHours(length)
  return hours < dayHours ? { days: length.days, hours } : { days: length.days + 1, hours: 0 }
}
