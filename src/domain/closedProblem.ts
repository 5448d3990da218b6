import {
  type DayHours,
  dateAfter,
  formatTimes,
  hoursOn,
  isOpen,
  type LocalTime,
  type StationHours,
  weekdayOf,
} from './openingHours.ts'
import { wallClockMs } from './timeZone.ts'

/** Closed for longer than this, no next opening is named. */
const daysAheadMax = 731

function localTime(at: Date, timeZone: string): LocalTime {
  const wall = new Date(wallClockMs(at, timeZone)).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, -1) }
}

/** Returns the first opening after a local time, undefined if there is none within two years. */
function nextOpening(hours: StationHours, { date, time }: LocalTime) {
  for (let days = 0; days <= daysAheadMax; days++) {
    const next = dateAfter(date, days)
    const { intervals } = hoursOn(hours, next)
    const opens = intervals.find((each) => days > 0 || each.opens > time)?.opens
    if (opens !== undefined) return { date: next, opens }
  }
  return undefined
}

/**
 * Returns why a vehicle cannot be picked up or dropped off at a time, in English, with the next
 * opening; undefined when it can.
 */
export function closedProblem(hours: StationHours, at: Date, timeZone: string): string | undefined {
  if (hours.openingHours === null && hours.specialDays.length === 0) return undefined
  const local = localTime(at, timeZone)
  if (isOpen(hours, local)) return undefined
  const { date } = local
  const next = nextOpening(hours, local)
  const year = next?.date.slice(0, 4) === date.slice(0, 4) ? '' : ` ${next?.date.slice(0, 4)}`
  const opens = next === undefined ? '' : `; opens ${formatDay(next.date)}${year} at ${next.opens}`
  return `${formatDay(date)} ${date.slice(0, 4)} is ${formatHours(hoursOn(hours, date))}${opens}`
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** Formats a date without its year: `Saturday 26 December`. */
function formatDay(date: string): string {
  const weekday = weekdayOf(date)
  const name = weekday.charAt(0).toUpperCase() + weekday.slice(1)
  return `${name} ${Number(date.slice(8))} ${monthName.format(new Date(date))}`
}

/** Formats the hours of a day: `open 08:00–12:00 (Christmas Eve)`, or `closed`. */
function formatHours({ intervals, name }: DayHours): string {
  const times = formatTimes(intervals)
  return `${times === '' ? 'closed' : `open ${times}`}${name === null ? '' : ` (${name})`}`
}
