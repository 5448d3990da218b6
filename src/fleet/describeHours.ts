import {
  formatTimes,
  type StationHours,
  type Weekday,
  weekFromMonday,
} from '../domain/openingHours.ts'

const shortDay = (day: Weekday) => day.charAt(0).toUpperCase() + day.slice(1, 3)

function timesOf(openingHours: StationHours['openingHours'], day: Weekday): string {
  if (openingHours === null) return 'all day'
  return formatTimes(openingHours.filter(({ days }) => days.includes(day))) || 'closed'
}

/** Returns the hours of each weekday and special day, by names for an owner: `opens Mon`. */
export function describeHours({ openingHours, specialDays }: StationHours) {
  const described: Record<string, string> = {}
  for (const day of weekFromMonday) described[`opens ${shortDay(day)}`] = timesOf(openingHours, day)
  for (const day of specialDays) {
    const dates = `opens ${formatDates(day)}`
    const text = formatSpecialDay(day)
    described[dates] = described[dates] === undefined ? text : `${described[dates]} and ${text}`
  }
  return described
}

/** Formats the week in one line: `Mon–Fri 07:00–22:00, Sat 08:00–14:00, Sun closed`. */
export function formatWeek(openingHours: StationHours['openingHours']): string {
  if (openingHours === null) return 'always open'
  const spans: { first: Weekday; last: Weekday; times: string }[] = []
  for (const day of weekFromMonday) {
    const times = timesOf(openingHours, day)
    const span = spans.at(-1)
    if (span?.times === times) span.last = day
    else spans.push({ first: day, last: day, times })
  }
  return spans
    .map(({ first, last, times }) => {
      const days = first === last ? shortDay(first) : `${shortDay(first)}–${shortDay(last)}`
      return `${days} ${times}`
    })
    .join(', ')
}

type SpecialDay = StationHours['specialDays'][number]

const formatDates = ({ from, to }: SpecialDay) => (from === to ? from : `${from}–${to}`)

function formatSpecialDay({ opens, closes, name }: SpecialDay): string {
  const times = opens === null || closes === null ? 'closed' : `${opens}–${closes}`
  return name === null ? times : `${times} (${name})`
}

/** Formats all special days in one line: `2027-12-25–2027-12-26 closed (Christmas)`. */
export const formatSpecialDays = (specialDays: StationHours['specialDays']) =>
  specialDays.map((day) => `${formatDates(day)} ${formatSpecialDay(day)}`).join(', ') || 'none'
