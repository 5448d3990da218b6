import { wallClockMs } from './zone.ts'

const minuteMs = 60_000
const hourMinutes = 60
const dayMinutes = 1440

/** A rental's length as it is charged; `restMinutes` is 0 when the rest is within grace. */
export interface RentalLength {
  readonly days: number
  readonly restMinutes: number
}

/** The length on the tenant's wall clock; a started minute counts (decision 45). */
export function wallClockMinutes(pickupAt: Date, dropoffAt: Date, timeZone: string): number {
  const elapsedMs = dropoffAt.getTime() - pickupAt.getTime()
  if (!(elapsedMs > 0)) throw new RangeError('The drop-off must be after the pickup')
  const wallMs = wallClockMs(dropoffAt, timeZone) - wallClockMs(pickupAt, timeZone)
  return Math.ceil((wallMs > 0 ? wallMs : elapsedMs) / minuteMs)
}

/** The calendar date, YYYY-MM-DD, that the zone's clock shows. */
export function localDate(at: Date, timeZone: string): string {
  return localDateTime(at, timeZone).slice(0, 10)
}

/** The date and time, YYYY-MM-DD HH:MM:SS, that the zone's clock shows. */
export function localDateTime(at: Date, timeZone: string): string {
  return new Date(wallClockMs(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ')
}

/** Full 24-hour days and the rest, which is free within grace after a full day (decision 46). */
export function rentalLength(minutes: number, gracePeriodMinutes: number): RentalLength {
  const days = Math.floor(minutes / dayMinutes)
  const restMinutes = minutes % dayMinutes
  const free = days >= 1 && restMinutes <= gracePeriodMinutes
  return { days, restMinutes: free ? 0 : restMinutes }
}

/** Started hours beyond the full days, 0 within grace (decision 47). */
export function startedHours(length: RentalLength): number {
  return Math.ceil(length.restMinutes / hourMinutes)
}

/** The days an extra is charged for: a charged rest is one more (decision 50). */
export function chargedDays(length: RentalLength): number {
  return length.restMinutes > 0 ? length.days + 1 : length.days
}
