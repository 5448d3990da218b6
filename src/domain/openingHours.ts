import { wallClockMs } from './timeZone.ts'
import { dayMs } from './units.ts'

/** In the order of `Date.getUTCDay`. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const
export type Weekday = (typeof weekdays)[number]

/** Local times such as `07:00`. `24:00` is midnight at the end of the day. */
interface Interval {
  readonly opens: string
  readonly closes: string
}

interface WeeklyHours extends Interval {
  readonly days: readonly Weekday[]
}

/** Hours that replace the weekday's on some dates, both included. Without times, it is closed. */
export interface SpecialDay {
  readonly from: string
  readonly to: string
  readonly opens: string | null
  readonly closes: string | null
  readonly name: string | null
}

/** When a tenant hands out and takes back vehicles, on its own clock. */
export interface StationHours {
  /** Null: always open, but on special days. */
  readonly openingHours: readonly WeeklyHours[] | null
  readonly specialDays: readonly SpecialDay[]
}

interface DayHours {
  /** In order. Empty when it is closed. */
  readonly intervals: readonly Interval[]
  /** The name of the special day. */
  readonly name: string | null
}

const allDay: readonly Interval[] = [{ opens: '00:00', closes: '24:00' }]

/** Closed for longer than this, no next opening is named. */
const daysAheadMax = 731

const weekdayOf = (date: string) => weekdays[new Date(date).getUTCDay()] as Weekday

/** Returns the date some days after a date such as `2027-12-24`. */
const dateAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** Returns the hours of a local date such as `2027-12-24`. */
function hoursOn({ openingHours, specialDays }: StationHours, date: string): DayHours {
  const special = specialDays.filter(({ from, to }) => from <= date && date <= to)
  if (special.length > 0) {
    const intervals = special.flatMap(({ opens, closes }) =>
      opens === null || closes === null ? [] : { opens, closes },
    )
    const name = special.find((each) => each.name !== null)?.name ?? null
    return { intervals: inOrder(intervals), name }
  }
  if (openingHours === null) return { intervals: allDay, name: null }
  const weekday = weekdayOf(date)
  return {
    intervals: inOrder(openingHours.filter(({ days }) => days.includes(weekday))),
    name: null,
  }
}

const inOrder = (intervals: readonly Interval[]) =>
  intervals.toSorted((a, b) => (a.opens < b.opens ? -1 : 1))

const [sunday, ...others] = weekdays
export const weekFromMonday: readonly Weekday[] = [...others, sunday]

/** Returns weekly hours in one form: an entry for each interval, with its days, from Monday on. */
export function canonicalHours(list: readonly WeeklyHours[]): WeeklyHours[] {
  const keyOf = ({ opens, closes }: Interval) => `${opens} ${closes}`
  const dayOf = ({ days }: WeeklyHours) => weekFromMonday.findIndex((day) => days.includes(day))
  return [...new Map(list.map((entry) => [keyOf(entry), entry])).values()]
    .map(({ opens, closes }) => {
      const same = list.filter((entry) => keyOf(entry) === keyOf({ opens, closes }))
      const days = weekFromMonday.filter((day) => same.some((entry) => entry.days.includes(day)))
      return { days, opens, closes }
    })
    .toSorted((a, b) => dayOf(a) - dayOf(b) || (a.opens < b.opens ? -1 : 1))
}

/** A local date and time, such as `2027-12-24` and `07:00:00.000`. */
interface LocalTime {
  readonly date: string
  readonly time: string
}

function localTime(at: Date, timeZone: string): LocalTime {
  const wall = new Date(wallClockMs(at, timeZone)).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, -1) }
}

/** Reports whether a local time is within opening hours, both ends included. */
function isOpen(hours: StationHours, { date, time }: LocalTime): boolean {
  const closesAfter = (closes: string) => time <= `${closes}:00.000`
  const today = hoursOn(hours, date).intervals
  if (today.some(({ opens, closes }) => opens <= time && closesAfter(closes))) return true
  if (time !== '00:00:00.000') return false
  return hoursOn(hours, dateAfter(date, -1)).intervals.some(({ closes }) => closes === '24:00')
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

/** Formats intervals in order: `08:00–12:00 and 13:00–18:00`. */
export const formatTimes = (intervals: readonly Interval[]) =>
  inOrder(intervals)
    .map(({ opens, closes }) => `${opens}–${closes}`)
    .join(' and ')

/** Formats the hours of a day: `open 08:00–12:00 (Christmas Eve)`, or `closed`. */
function formatHours({ intervals, name }: DayHours): string {
  const times = formatTimes(intervals)
  return `${times === '' ? 'closed' : `open ${times}`}${name === null ? '' : ` (${name})`}`
}
