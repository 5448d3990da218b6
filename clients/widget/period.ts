import {
  type DayHours,
  dateAfter,
  hoursOn,
  isOpen,
  type StationHours,
  weekdays,
} from '../../src/domain/openingHours.ts'
import type { ConfigWithTimeZone as Config, Fields, Period } from './config.ts'
import type { MessageId } from './messages/en.ts'
import { dayMs, instantMs, wallClockMs } from './zone.ts'

export type Moment = 'pickup' | 'dropoff'

/** The field of an invalid period, and its error. */
export type PeriodError = readonly [field: string, error: MessageId]

const usualTime = '10:00'
const usualDays = 3
/** The API's limit of a rental. */
export const daysMax = 366
const hourMs = 3_600_000
const minuteMs = 60_000
const halfHourMs = hourMs / 2
/** Offered if the station has no opening hours. */
const usualHours: StationHours['openingHours'] = [
  { days: weekdays, opens: '07:00', closes: '21:30' },
]

const dateOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10)

/** The API's last day. Without a maximum, browsers accept years of six digits. */
export const lastDate = '2100-12-31'

/** Returns the last drop-off date of a rental. */
export const lastDropoff = (pickup: string) => dateAfter(pickup, daysMax)

/** Returns the current date at the station. */
export const todayAt = ({ timeZone }: Config) => dateOf(wallClockMs(new Date(), timeZone))

/** Returns the first local time at which a pickup is possible, in milliseconds as if it were UTC. */
const earliestMs = ({ minLeadMinutes, timeZone }: Config) =>
  wallClockMs(new Date(Date.now() + (minLeadMinutes ?? 0) * minuteMs), timeZone)

/** Returns the station's hours, complete. `usual`: the weekly hours of a station that has none. */
const stationHours = (
  { openingHours, specialDays }: Config,
  usual: StationHours['openingHours'] = null,
): StationHours => ({
  openingHours: openingHours ?? usual,
  specialDays: (specialDays ?? []).map(({ from, to, opens, closes, name }) => ({
    from,
    to: to ?? from,
    opens: opens ?? null,
    closes: closes ?? null,
    name: name ?? null,
  })),
})

/** Returns the opening hours of a date. */
export const hoursAt = (config: Config, date: string): DayHours =>
  hoursOn(stationHours(config), date)

/** Returns the times at which a rental can begin or end on a date, in half hours from each opening. */
export function timesOn(config: Config, moment: Moment, date: string): readonly string[] {
  const firstMs = moment === 'pickup' ? earliestMs(config) : 0
  const msAt = (time: string) => Date.parse(`${date}T${time}Z`)
  const { intervals } = hoursOn(stationHours(config, usualHours), date)
  const times = intervals.flatMap(({ opens, closes }) => {
    const length = Math.floor((msAt(closes) - msAt(opens)) / halfHourMs) + 1
    return Array.from({ length }, (_, at) => new Date(msAt(opens) + at * halfHourMs).toISOString())
  })
  // On a shorter day, the clock change skips some times.
  const instantAt = (ms: number) => instantMs(ms, config.timeZone)
  const startMs = msAt('00:00')
  const isShort = times.length > 0 && instantAt(startMs + dayMs) - instantAt(startMs) < dayMs
  const exists = (ms: number) =>
    !isShort || wallClockMs(new Date(instantAt(ms)), config.timeZone) === ms
  const offered = times.filter((time) => {
    const ms = Date.parse(time)
    // Midnight at the end of the day has the next date.
    return time.startsWith(date) && ms >= firstMs && exists(ms)
  })
  return [...new Set(offered)].map((time) => time.slice(11, 16))
}

/** Returns the last offered time that is not later than the wanted one, else the first. */
export function nearestTime(times: readonly string[], wanted = ''): string {
  return times.findLast((time) => time <= wanted) ?? times[0] ?? wanted
}

/** Returns the first date from `from` on at which a rental can begin or end; `from` if there is none. */
export function openDate(config: Config, moment: Moment, from: string): string {
  for (let days = 0; days <= daysMax; days++) {
    const date = dateAfter(from, days)
    if (timesOn(config, moment, date).length > 0) return date
  }
  return from
}

/** Returns the first date on which a pickup is possible. */
export const firstPickup = (config: Config) =>
  openDate(config, 'pickup', dateOf(earliestMs(config)))

/** Fills in the next moment that can be booked, or tomorrow's usual time without opening hours. */
export function fillPeriod(config: Config, fields: Record<string, string>): void {
  const [days, wanted] = config.openingHours ? [0, ''] : [1, usualTime]
  const fill = (moment: Moment, from: string, time: string | undefined) => {
    const date = fields[`${moment}Date`] || openDate(config, moment, from)
    fields[`${moment}Date`] = date
    fields[`${moment}Time`] ||= nearestTime(timesOn(config, moment, date), time)
    return date
  }
  const isFree = !fields['pickupTime'] && !fields['dropoffTime']
  const pickup = fill('pickup', dateAfter(firstPickup(config), days), wanted)
  fill('dropoff', dateAfter(pickup, usualDays), fields['pickupTime'])
  if (isFree) alignPickup(config, fields)
}

/** Moves the pickup to the drop-off's time if that is later, so that the rental gets no hour longer. */
export function alignPickup(config: Config, fields: Record<string, string>): void {
  const { pickupDate = '', dropoffTime = '' } = fields
  const isOffered = timesOn(config, 'pickup', pickupDate).includes(dropoffTime)
  if (isOffered && dropoffTime > (fields['pickupTime'] ?? '')) fields['pickupTime'] = dropoffTime
}

/** Moves the drop-off if a new pickup is not before it. */
export function adjustDropoff(config: Config, fields: Record<string, string>): void {
  const { pickupDate = '', dropoffDate = '' } = fields
  if (pickupDate !== '' && dropoffDate <= pickupDate) {
    fields['dropoffDate'] = openDate(config, 'dropoff', dateAfter(pickupDate, usualDays))
  }
}

/** Returns the entered local time in milliseconds, read as UTC; NaN without a date. */
const wallMs = (fields: Fields, moment: Moment) =>
  Date.parse(`${fields[`${moment}Date`]}T${fields[`${moment}Time`]}Z`)

/** Returns the entered dates on the station's clock, in the form of the page's attributes. */
export function localPeriod(fields: Fields) {
  const at = (moment: Moment) => `${fields[`${moment}Date`]}T${fields[`${moment}Time`]}`
  return fields['dropoffDate'] ? { pickup: at('pickup'), dropoff: at('dropoff') } : {}
}

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

/** Returns the days on the station's clock and the started hours after them, as prices count them. */
export function enteredLength(
  { timeZone }: Config,
  fields: Fields,
): readonly [days: number, hours: number] {
  const [startMs, endMs] = [wallMs(fields, 'pickup'), wallMs(fields, 'dropoff')]
  const days = Math.floor((endMs - startMs) / dayMs)
  const restMs = instantMs(endMs, timeZone) - instantMs(startMs + days * dayMs, timeZone)
  return [days, Math.ceil(restMs / hourMs)]
}

/** Returns the field of a moment at which the station is closed, and its error. */
function closedError(config: Config, fields: Fields, moment: Moment): PeriodError | undefined {
  const [date = '', time] = [fields[`${moment}Date`], fields[`${moment}Time`]]
  if (isOpen(stationHours(config), { date, time: `${time}:00.000` })) return undefined
  const isDayOpen = hoursAt(config, date).intervals.length > 0
  return isDayOpen ? [`${moment}Time`, 'closedTime'] : [`${moment}Date`, 'closedDay']
}

/** Returns the field of an invalid period and its error; undefined if the period is valid. */
export function periodError(config: Config, fields: Fields): PeriodError | undefined {
  const pickup = instantOf(config, fields, 'pickup')
  if (pickup === '') return ['pickupDate', 'missing']
  if (wallMs(fields, 'pickup') < earliestMs(config)) return ['pickupDate', 'errorPickup']
  const dropoff = instantOf(config, fields, 'dropoff')
  if (dropoff === '') return ['dropoffDate', 'missing']
  const closed = closedError(config, fields, 'pickup') ?? closedError(config, fields, 'dropoff')
  if (closed) return closed
  if (dropoff === pickup) return ['dropoffTime', 'sameTime']
  if (dropoff < pickup) {
    const isSameDay = fields['pickupDate'] === fields['dropoffDate']
    return [isSameDay ? 'dropoffTime' : 'dropoffDate', 'reversed']
  }
  const isLong = wallMs(fields, 'dropoff') - wallMs(fields, 'pickup') > daysMax * dayMs
  return isLong ? ['dropoffDate', 'tooLong'] : undefined
}
