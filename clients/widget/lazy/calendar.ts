import { CalendarMonth, CalendarRange } from 'cally'
import { make } from '../ui/dom.ts'
import { styleSheet } from '../ui/styles.ts'
import styles from './calendar.css'

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
  readonly texts: { readonly previous: string; readonly next: string }
  /** Receives the pickup date, and then both dates. */
  onChoose(pickup: string, dropoff?: string): void
  /** Receives each date that gets the focus, and dates that are pressed but disallowed. */
  onFocus(date: string): void
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

const dateOf = (date: Date) => date.toISOString().slice(0, 10)

/** Returns a calendar of two months, in which a visitor chooses the first and the last date. */
export function rangeCalendar(options: CalendarOptions): RangeCalendar {
  const { locale, first, last, today, lastDropoff, texts, isDisallowed, onChoose, onFocus } =
    options
  const range = new CalendarRange()
  const second = Object.assign(new CalendarMonth(), { offset: 1 })
  Object.assign(range, {
    locale: String(new Intl.Locale(locale, { calendar: 'gregory' })),
    min: first,
    max: last,
    today,
    months: 2,
    firstDayOfWeek: firstDayOfWeek(locale),
  })
  const arrow = (slot: string, label: string, sign: string) =>
    make('span', { slot, role: 'img', ariaLabel: label }, sign)
  range.append(
    arrow('previous', texts.previous, '‹'),
    arrow('next', texts.next, '›'),
    make('div', { className: 'months' }, new CalendarMonth(), second),
  )
  range.addEventListener('focusday', (event) =>
    onFocus(dateOf((event as CustomEvent<Date>).detail)),
  )
  range.addEventListener('rangestart', (event) => {
    const pickup = dateOf((event as CustomEvent<Date>).detail)
    range.max = lastDropoff(pickup) < last ? lastDropoff(pickup) : last
    onChoose(pickup)
  })
  range.addEventListener('change', () => {
    const [pickup = '', dropoff] = range.value.split('/')
    range.max = last
    onChoose(pickup, dropoff)
  })
  const refresh = () => {
    range.isDateDisallowed = (date) => isDisallowed(dateOf(date))
  }
  refresh()
  return {
    element: range,
    refresh,
    show(pickup, dropoff) {
      if (!pickup || !dropoff) return
      range.tentative = ''
      range.max = last
      range.value = `${pickup}/${dropoff}`
      range.focusedDate = pickup
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
