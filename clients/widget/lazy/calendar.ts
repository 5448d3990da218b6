import 'cally'
import { dateAfter } from '../../../src/domain/openingHours.ts'
import { make } from '../ui/dom.ts'
import { select } from '../ui/parts.ts'
import { styleSheet } from '../ui/styles.ts'
import { dayMs } from '../zone.ts'
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
  const lists = [0, 1].map((offset) => {
    const list = select('', [])
    list.ariaLabel = texts.month
    list.onchange = () => {
      const date = firstOf(+list.value - offset)
      turnTo(date < first ? first : date)
      // The month may be the other one of the page.
      showNames()
    }
    return list
  })
  const nextName = make('b', { ariaHidden: 'true' })
  const months = make('div', { className: 'months' }, month(), nextName, second)
  range.append(
    arrow('previous', texts.previous, '‹'),
    make('div', { slot: 'heading', className: 'month-names' }, ...lists),
    arrow('next', texts.next, '›'),
    months,
  )
  const earliest = monthOf(first)
  let start: number | undefined
  let count = 1
  const weeksTo = (month: number) =>
    (Date.parse(firstOf(month)) - Date.parse(thisWeek)) / (7 * dayMs)
  const monthsShown = () => (second.checkVisibility() ? 2 : 1)
  function showNames(): void {
    lists.forEach((list, offset) => {
      const shown = (start ?? earliest) + offset
      const listed = Array.from({ length: monthsListed }, (_, at) => earliest + offset + at)
      const options = listed.includes(shown) ? listed : [...listed, shown]
      list.replaceChildren(
        ...options.map((month) => make('option', { value: `${month}` }, nameOf(month))),
      )
      list.value = `${shown}`
      nextName.textContent = nameOf(shown)
    })
  }
  /** Shows the page of a date in the heading, as the calendar turns its pages by `size` months. */
  function turn(date: string, size = count): void {
    const before = start ?? monthOf(date)
    const next = before + Math.floor((monthOf(date) - before) / size) * size
    if (next === start && size === count) return
    start = next
    // A month with at most two weeks left is followed by the next one, even on a phone.
    const [left, both] = [weeksTo(next + 1), weeksTo(next + 2)]
    months.classList.toggle('ending', left <= 2)
    // Reserves the height of the weeks before they are drawn.
    const weeks = Math.ceil(left) - Math.floor(left) + Math.ceil(both)
    range.style.setProperty('--weeks', `${weeks}`)
    count = monthsShown()
    // The calendar turns its page by the months that were shown before.
    void range.updated.then(() => {
      range.months = count
    })
    showNames()
    onTurn(start, count)
  }
  const turnTo = (date: string) => {
    range.focusedDate = date
    turn(date)
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
    if (range.checkVisibility()) turn(range.focusedDate ?? first, monthsShown())
  }).observe(range)
  return {
    element: range,
    refresh,
    show(pickup, dropoff) {
      if (!pickup || !dropoff) return
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
