import type { Period } from './config.ts'
import type { Flow } from './flow.ts'
import type { MessageId } from './messages/en.ts'
import { dayMs, instantMs, wallClockMs } from './zone.ts'

export type Moment = 'pickup' | 'dropoff'

const usualTime = '10:00'
const usualDays = 3
/** The API's limit of a rental. */
const daysMax = 366
const hourMs = 3_600_000
const minuteMs = 60_000

type Entered = Pick<Flow, 'config' | 'visit'>

const dateOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10)

const daysLater = (date: string, days: number) => dateOf(Date.parse(date) + days * dayMs)

/** The API's last day. Without a maximum, browsers accept years of six digits. */
export const lastDate = '2100-12-31'

/** Returns the last drop-off date of a rental. */
export const lastDropoff = (pickup: string) => daysLater(pickup, daysMax)

/** Returns the current date at the station. */
export const todayAt = ({ config }: Entered) => dateOf(wallClockMs(new Date(), config.timeZone))

/** Returns the first date on which a pickup is possible. */
export function firstPickup({ config: { minLeadMinutes, timeZone } }: Entered): string {
  const at = new Date(Date.now() + (minLeadMinutes ?? 0) * minuteMs)
  return dateOf(wallClockMs(at, timeZone))
}

/** Fills in the period that most visitors start from. */
export function fillPeriod(flow: Entered): void {
  const { fields } = flow.visit
  fields['pickupTime'] ||= usualTime
  fields['dropoffTime'] ||= usualTime
  fields['pickupDate'] ||= daysLater(firstPickup(flow), 1)
  fields['dropoffDate'] ||= daysLater(fields['pickupDate'], usualDays)
}

/** Moves the drop-off if a new pickup is not before it. */
export function adjustDropoff({ visit: { fields } }: Entered): void {
  const { pickupDate = '', dropoffDate = '' } = fields
  if (pickupDate !== '' && dropoffDate <= pickupDate) {
    fields['dropoffDate'] = daysLater(pickupDate, usualDays)
  }
}

/** Returns the entered local time in milliseconds, read as UTC; NaN without a date. */
const wallMs = ({ visit: { fields } }: Entered, moment: Moment) =>
  Date.parse(`${fields[`${moment}Date`]}T${fields[`${moment}Time`]}Z`)

/** Returns the instant of the entered local time; empty without a date or with a half-typed year. */
function instantOf(flow: Entered, moment: Moment): string {
  const ms = wallMs(flow, moment)
  return ms > 0 ? new Date(instantMs(ms, flow.config.timeZone)).toISOString() : ''
}

/** Returns the entered period; undefined if a date is missing or the drop-off is before the pickup. */
export function periodOf(flow: Entered): Period | undefined {
  const pickupDatetime = instantOf(flow, 'pickup')
  const dropoffDatetime = instantOf(flow, 'dropoff')
  return pickupDatetime && pickupDatetime < dropoffDatetime
    ? { pickupDatetime, dropoffDatetime }
    : undefined
}

/** Returns the days and started hours between the entered local times. */
export function enteredLength(flow: Entered): readonly [days: number, hours: number] {
  const ms = wallMs(flow, 'dropoff') - wallMs(flow, 'pickup')
  const days = Math.floor(ms / dayMs)
  return [days, Math.ceil((ms - days * dayMs) / hourMs)]
}

/** Returns the field of an invalid period and its error; undefined if the period is valid. */
export function periodError(flow: Entered): readonly [field: string, error: MessageId] | undefined {
  const { fields } = flow.visit
  const pickup = instantOf(flow, 'pickup')
  if (pickup === '') return ['pickupDate', 'missing']
  const dropoff = instantOf(flow, 'dropoff')
  if (dropoff === '') return ['dropoffDate', 'missing']
  if (dropoff <= pickup) {
    const isSameDay = fields['pickupDate'] === fields['dropoffDate']
    return [isSameDay ? 'dropoffTime' : 'dropoffDate', 'reversed']
  }
  const isLong = wallMs(flow, 'dropoff') - wallMs(flow, 'pickup') > daysMax * dayMs
  return isLong ? ['dropoffDate', 'tooLong'] : undefined
}
