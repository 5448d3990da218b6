import type { ConfigWithTimeZone as Config, Fields, Period } from './config.ts'
import type { MessageId } from './messages/en.ts'
import { dayMs, instantMs, wallClockMs } from './zone.ts'

export type Moment = 'pickup' | 'dropoff'

/** The field of an invalid period, and its error. */
export type PeriodError = readonly [field: string, error: MessageId]

const usualTime = '10:00'
const usualDays = 3
/** The API's limit of a rental. */
const daysMax = 366
const hourMs = 3_600_000
const minuteMs = 60_000
/** The offered times in half hours: from 07:00 to 21:30. */
const openingAt = 14
const timesCount = 30

const dateOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10)

export const daysLater = (date: string, days: number) => dateOf(Date.parse(date) + days * dayMs)

/** The API's last day. Without a maximum, browsers accept years of six digits. */
export const lastDate = '2100-12-31'

/** Returns the last drop-off date of a rental. */
export const lastDropoff = (pickup: string) => daysLater(pickup, daysMax)

/** Returns the current date at the station. */
export const todayAt = ({ timeZone }: Config) => dateOf(wallClockMs(new Date(), timeZone))

/** Returns the first local time at which a pickup is possible, in milliseconds as if it were UTC. */
const earliestMs = ({ minLeadMinutes, timeZone }: Config) =>
  wallClockMs(new Date(Date.now() + (minLeadMinutes ?? 0) * minuteMs), timeZone)

const times = Array.from({ length: timesCount }, (_, at) =>
  new Date((openingAt + at) * (hourMs / 2)).toISOString().slice(11, 16),
)

/** Returns the times at which a rental can begin or end on a date. */
export function timesOn(config: Config, moment: Moment, date: string): readonly string[] {
  const firstMs = moment === 'pickup' ? earliestMs(config) : 0
  return times.filter((time) => Date.parse(`${date}T${time}Z`) >= firstMs)
}

/** Returns the first date on which a pickup is possible. */
export function firstPickup(config: Config): string {
  const date = dateOf(earliestMs(config))
  return timesOn(config, 'pickup', date).length > 0 ? date : daysLater(date, 1)
}

/** Fills in the period that most visitors start from. */
export function fillPeriod(config: Config, fields: Record<string, string>): void {
  fields['pickupTime'] ||= usualTime
  fields['dropoffTime'] ||= usualTime
  fields['pickupDate'] ||= daysLater(firstPickup(config), 1)
  fields['dropoffDate'] ||= daysLater(fields['pickupDate'], usualDays)
}

/** Moves the drop-off if a new pickup is not before it. */
export function adjustDropoff(fields: Record<string, string>): void {
  const { pickupDate = '', dropoffDate = '' } = fields
  if (pickupDate !== '' && dropoffDate <= pickupDate) {
    fields['dropoffDate'] = daysLater(pickupDate, usualDays)
  }
}

/** Returns the entered local time in milliseconds, read as UTC; NaN without a date. */
const wallMs = (fields: Fields, moment: Moment) =>
  Date.parse(`${fields[`${moment}Date`]}T${fields[`${moment}Time`]}Z`)

/** Returns the instant of the entered local time; empty without a date or with a half-typed year. */
function instantOf({ timeZone }: Config, fields: Fields, moment: Moment): string {
  const ms = wallMs(fields, moment)
  return ms > 0 ? new Date(instantMs(ms, timeZone)).toISOString() : ''
}

/** Returns the entered period; undefined if a date is missing or the drop-off is before the pickup. */
export function periodOf(config: Config, fields: Fields): Period | undefined {
  const pickupDatetime = instantOf(config, fields, 'pickup')
  const dropoffDatetime = instantOf(config, fields, 'dropoff')
  return pickupDatetime && pickupDatetime < dropoffDatetime
    ? { pickupDatetime, dropoffDatetime }
    : undefined
}

/** Returns the days and started hours between the entered local times. */
export function enteredLength(fields: Fields): readonly [days: number, hours: number] {
  const ms = wallMs(fields, 'dropoff') - wallMs(fields, 'pickup')
  const days = Math.floor(ms / dayMs)
  return [days, Math.ceil((ms - days * dayMs) / hourMs)]
}

/** Returns the field of an invalid period and its error; undefined if the period is valid. */
export function periodError(config: Config, fields: Fields): PeriodError | undefined {
  const pickup = instantOf(config, fields, 'pickup')
  if (pickup === '') return ['pickupDate', 'missing']
  if (wallMs(fields, 'pickup') < earliestMs(config)) return ['pickupDate', 'errorPickup']
  const dropoff = instantOf(config, fields, 'dropoff')
  if (dropoff === '') return ['dropoffDate', 'missing']
  if (dropoff === pickup) return ['dropoffTime', 'sameTime']
  if (dropoff < pickup) {
    const isSameDay = fields['pickupDate'] === fields['dropoffDate']
    return [isSameDay ? 'dropoffTime' : 'dropoffDate', 'reversed']
  }
  const isLong = wallMs(fields, 'dropoff') - wallMs(fields, 'pickup') > daysMax * dayMs
  return isLong ? ['dropoffDate', 'tooLong'] : undefined
}
