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
export interface Interval {
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

export interface DayHours {
  /** In order. Empty when it is closed. */
  readonly intervals: readonly Interval[]
  /** The name of the special day. */
  readonly name: string | null
}

const allDay: readonly Interval[] = [{ opens: '00:00', closes: '24:00' }]

export const weekdayOf = (date: string) => weekdays[new Date(date).getUTCDay()] as Weekday

/** Returns the date some days after a date such as `2027-12-24`. */
export const dateAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** Returns the hours of a local date such as `2027-12-24`. */
export function hoursOn({ openingHours, specialDays }: StationHours, date: string): DayHours {
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

export const weekFromMonday: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]

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
export interface LocalTime {
  readonly date: string
  readonly time: string
}

/** Reports whether a local time is within opening hours, both ends included. */
export function isOpen(hours: StationHours, { date, time }: LocalTime): boolean {
  const closesAfter = (closes: string) => time <= `${closes}:00.000`
  const today = hoursOn(hours, date).intervals
  if (today.some(({ opens, closes }) => opens <= time && closesAfter(closes))) return true
  if (time !== '00:00:00.000') return false
  return hoursOn(hours, dateAfter(date, -1)).intervals.some(({ closes }) => closes === '24:00')
}

/** Formats intervals in order: `08:00–12:00 and 13:00–18:00`. */
export const formatTimes = (intervals: readonly Interval[]) =>
  inOrder(intervals)
    .map(({ opens, closes }) => `${opens}–${closes}`)
    .join(' and ')
