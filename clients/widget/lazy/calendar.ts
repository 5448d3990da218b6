import 'cally'
import { dateAfter } from '../../../src/domain/openingHours.ts'
import { make } from '../ui/dom.ts'
import { select } from '../ui/parts.ts'
import { styleSheet } from '../ui/styles.ts'
import styles from './calendar.css'
import { firstOf, monthOf } from './months.ts'

export interface CalendarOptions {
  readonly locale: string
  /** The first and last date that can be chosen. */
  readonly first: string
  readonly last: string
  readonly today: string
  /** Returns the last drop-off date for a pickup date. */
  lastDropoff(pickup: string): string
  /** Reports whether a rental can neither begin nor end on a date. */
  isDisallowed(date: string): boolean
  readonly texts: { readonly previous: string; readonly next: string; readonly month: string }
  /** Receives the pickup date, and then both dates. */
  onChoose(pickup: string, dropoff?: string): void
  /** Receives each date that gets the focus, and dates that are pressed but disallowed. */
  onFocus(date: string): void
  /** Receives the months that are shown: the number of the first one, and how many. */
  onTurn(first: number, count: number): void
}

export interface RangeCalendar {
  readonly element: HTMLElement
  /** Shows a period, unless one of its dates is empty. */
  show(pickup: string, dropoff: string): void
  /** Asks again which dates are disallowed. */
  refresh(): void
  /** Moves the focus to the pickup date, if the visitor can see it without scrolling. */
  focus(): Promise<void>
}

export const sheet = styleSheet(styles)

/** The months that can be chosen without turning the pages, from the first one. */
const monthsListed = 18

const dateOf = (date: Date) => date.toISOString().slice(0, 10)

/** Returns a calendar of two months, or one if there is no room, in which a visitor chooses two dates. */
export function rangeCalendar(options: CalendarOptions): RangeCalendar {
  const { locale, first, last, today, texts, onChoose, onFocus, onTurn } = options
  const range = document.createElement('calendar-range')
  const month = () => document.createElement('calendar-month')
  const second = Object.assign(month(), { offset: 1 })
  const weekStart = firstDayOfWeek(locale)
  const weekday = new Date(today).getUTCDay()
  const thisWeek = dateAfter(today, -((weekday - weekStart + 7) % 7))
  Object.assign(range, {
    locale: String(new Intl.Locale(locale, { calendar: 'gregory' })),
    min: first,
    max: last,
    today,
    firstDayOfWeek: weekStart,
    getDayParts: (date: Date) => (dateOf(date) < thisWeek ? 'over' : ''),
  })
  const arrow = (slot: string, label: string, sign: string) =>
    make('span', { slot, role: 'img', ariaLabel: label }, sign)
  const { format } = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    calendar: 'gregory',
    timeZone: 'UTC',
  })
  const nameOf = (month: number) => format(new Date(firstOf(month)))
  const chosen = select('', [])
  chosen.ariaLabel = texts.month
  const nextName = make('span', { ariaHidden: 'true' })
  range.append(
    arrow('previous', texts.previous, '‹'),
    make('div', { slot: 'heading', className: 'month-names' }, chosen, nextName),
    arrow('next', texts.next, '›'),
    make('div', { className: 'months' }, month(), second),
  )
  const earliest = monthOf(first)
  let start: number | undefined
  let count = 0
  /** Shows the page of a date in the heading, as the calendar turns its pages. */
  function turn(date: string): void {
    const before = start ?? monthOf(date)
    const next = before + Math.floor((monthOf(date) - before) / range.months) * range.months
    if (next === start && range.months === count) return
    start = next
    count = range.months
    const listed = Array.from({ length: monthsListed }, (_, at) => earliest + at)
    const months = listed.includes(start) ? listed : [...listed, start]
    const names = months.map((month) => make('option', { value: firstOf(month) }, nameOf(month)))
    chosen.replaceChildren(...names)
    chosen.value = firstOf(start)
    nextName.textContent = nameOf(start + 1)
    onTurn(start, count)
  }
  const turnTo = (date: string) => {
    range.focusedDate = date
    turn(date)
  }
  chosen.onchange = () => {
    turnTo(chosen.value < first ? first : chosen.value)
    // The month may be the second one of the page.
    chosen.value = firstOf(start ?? earliest)
  }
  range.addEventListener('focusday', (event) => {
    const date = dateOf((event as CustomEvent<Date>).detail)
    turn(date)
    onFocus(date)
  })
  range.addEventListener('rangestart', (event) => {
    const pickup = dateOf((event as CustomEvent<Date>).detail)
    const latest = options.lastDropoff(pickup)
    range.max = latest < last ? latest : last
    onChoose(pickup)
  })
  range.addEventListener('change', () => {
    const [pickup = '', dropoff] = range.value.split('/')
    range.max = last
    onChoose(pickup, dropoff)
  })
  const refresh = () => {
    range.isDateDisallowed = (date) => options.isDisallowed(dateOf(date))
  }
  refresh()
  // The styles decide whether there is room for the second month.
  new ResizeObserver(() => {
    // Without a page, the calendar would move its focus between two months for ever.
    if (!range.checkVisibility()) return
    range.months = second.checkVisibility() ? 2 : 1
    turn(range.focusedDate ?? first)
  }).observe(range)
  return {
    element: range,
    refresh,
    show(pickup, dropoff) {
      if (!pickup || !dropoff) return
      range.months = second.checkVisibility() ? 2 : 1
      range.tentative = ''
      range.max = last
      range.value = `${pickup}/${dropoff}`
      turnTo(pickup)
    },
    async focus() {
      // The elements render their days one after the other.
      await range.updated
      await new Promise(requestAnimationFrame)
      await second.updated
      if (range.getBoundingClientRect().bottom < globalThis.innerHeight) range.focus()
    },
  }
}

interface WeekInfo {
  readonly firstDay: number
}

/** Returns the first day of the week of a locale: 0 is Sunday. */
function firstDayOfWeek(locale: string): number {
  // Browsers have either the method or the older property.
  const known: Intl.Locale & { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo } = new Intl.Locale(
    locale,
  )
  return ((known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1) % 7
}
