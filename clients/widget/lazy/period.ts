import { dateAfter } from '../../../src/domain/openingHours.ts'
import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import { daysMax, lastDate, lastDropoff, type Moment, type PeriodError } from '../period.ts'
import { dateText, parseDate } from '../typedDate.ts'
import { make } from '../ui/dom.ts'
import { field, input, select } from '../ui/parts.ts'
import { sheet as calendarSheet, rangeCalendar } from './calendar.ts'
import { soldOutDays } from './soldOut.ts'

const moments = ['pickup', 'dropoff'] as const
const names = ['pickupDate', 'pickupTime', 'dropoffDate', 'dropoffTime'] as const

/**
 * Opens a dialog in which the period is changed, and adds it to `place`. Calls `onClose` with the new
 * period, or without one if it is incomplete, and with whether the visitor wants to go on. `error`: a field
 * of the period and what is wrong with it. `isInline`: shows the period in the page until the next step, and
 * calls `onClose` after each change.
 */
export function openPeriod(
  flow: Flow,
  place: HTMLElement,
  onClose: (dates: Fields | undefined, isDone: boolean) => void,
  error?: PeriodError,
  isInline = false,
): void {
  const { config, texts, visit, shared } = flow
  const { enteredLength, isField, markField, openDate, periodError, periodOf } = shared
  const { t, lang } = texts
  const first = shared.firstPickup(config)
  const dates = Object.fromEntries(names.map((name) => [name, visit.fields[name] ?? '']))
  /** The times that the visitor wants. Some days do not offer them. */
  const wanted = { ...dates }
  const status = make('strong', { id: 'sheet-status', role: 'status' })
  const closing = new AbortController()
  const signal = AbortSignal.any([flow.shown, closing.signal])
  const soldOut = soldOutDays(flow, signal, () => calendar.refresh())
  /** The text of the status line unless a closed or sold-out day has the focus. */
  let message = ''
  const onclick = () => sheet.close()
  const close = make(
    'button',
    { type: 'button', className: 'quiet', ariaLabel: t('close'), onclick },
    '×',
  )
  const calendarPlace = make('div', { className: 'calendar' })
  const zone = t('zone', { zone: config.timeZone.replaceAll('_', ' ') })
  const form = make(
    'form',
    { className: 'sheet-form', noValidate: true },
    make('div', { className: 'sheet-head' }, status, !isInline && close),
    calendarPlace,
    make('div', { className: 'moments' }, ...moments.map((moment) => momentFields(flow, moment))),
    make('p', { className: 'hint' }, zone),
    !isInline &&
      make('div', { className: 'sheet-foot' }, make('button', { className: 'primary' }, t('find'))),
  )
  const sheet = make(
    'dialog',
    { className: 'sheet', ariaLabel: t('period'), 'aria-describedby': status.id },
    form,
  )
  place.replaceChildren(sheet)
  flow.adopt(calendarSheet)
  const calendar = rangeCalendar({
    locale: lang,
    first,
    last: lastDate,
    today: shared.todayAt(config),
    lastDropoff,
    isDisallowed: (date) => date >= first && reason(date) !== '',
    onTurn: soldOut.see,
    onFocus(date) {
      const why = reason(date)
      status.textContent = why && date >= first ? `${dayText(flow, date)}: ${why}` : message
    },
    texts: { previous: t('previousMonth'), next: t('nextMonth'), month: t('month') },
    onChoose(pickupDate, dropoffDate) {
      const kept = dates['dropoffDate'] ?? ''
      const dropoff = dropoffDate ?? (kept > pickupDate ? kept : '')
      Object.assign(dates, { pickupDate, dropoffDate: dropoff })
      // Clears an error.
      form.dispatchEvent(new Event('input'))
      if (dropoffDate === undefined) {
        show()
        say(t('chooseDropoff'))
      } else showShortened()
    },
  })
  calendarPlace.append(calendar.element)

  /** Returns why a rental can neither begin nor end on a date; empty if it can. */
  function reason(date: string): string {
    if (isClosed(flow, date)) return hoursText(flow, date)
    return soldOut.has(date) ? t('soldOutDay') : ''
  }
  /** Ends the period before its first sold-out day, and shows it. */
  function showShortened(): void {
    const { pickupDate = '', dropoffDate = '' } = dates
    let last = pickupDate
    let sold = ''
    for (let day = 1; pickupDate && day <= daysMax && !sold; day++) {
      const date = dateAfter(pickupDate, day)
      if (date > dropoffDate) break
      if (soldOut.has(date)) sold = date
      else if (!isClosed(flow, date)) last = date
    }
    if (sold) dates['dropoffDate'] = last
    show()
    if (!sold) return
    calendar.show(pickupDate, last)
    say(t('moved', { day: dayText(flow, sold) }))
  }
  /** Shows the entered values. */
  function show(): void {
    for (const moment of moments) offerTimes(moment)
    if (wanted['pickupTime'] === wanted['dropoffTime']) shared.alignPickup(config, dates)
    for (const name of names) fieldOf(name).value = shown(name)
    say(periodOf(config, dates) ? texts.length(...enteredLength(config, dates)) : '')
    if (isInline && problem() === undefined) onClose(dates, false)
  }
  function say(text: string): void {
    message = text
    status.textContent = text
  }
  function offerTimes(moment: Moment): void {
    const name = `${moment}Time`
    const date = dates[`${moment}Date`] ?? ''
    const offered = shared.timesOn(config, moment, date)
    const options = offered.map((value) => make('option', { value }, texts.clock(value)))
    if (offered.length > 0) fieldOf(name).replaceChildren(...options)
    dates[name] = shared.nearestTime(offered, wanted[name])
    const hours = form.querySelector(`#${moment}-hours`)
    if (hours) hours.textContent = hoursText(flow, date)
  }
  const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  const isText = (name: string) => fieldOf(name).type === 'text'
  const shown = (name: string) => {
    const value = dates[name] ?? ''
    return isText(name) ? dateText(value, lang) : value
  }
  /** Returns an error of a date that is typed but not understood, else of the period. */
  function problem(): PeriodError | undefined {
    const unread = names.find((name) => isText(name) && !dates[name] && fieldOf(name).value)
    return unread ? [unread, 'wrongDate'] : periodError(config, dates)
  }
  function refuse([name, text]: PeriodError): void {
    const moment = name.slice(0, -4) as Moment
    const date = dates[`${moment}Date`] ?? ''
    const values = {
      date: dateText(first, lang),
      day: dayText(flow, date),
      next: date && dayText(flow, openDate(config, moment, date)),
    }
    markField(fieldOf(name), texts.message(text, values), form)
    fieldOf(name).focus()
  }

  form.addEventListener('change', ({ target }) => {
    if (!isField(target)) return
    const { name, value } = target
    if (!(name in dates)) return
    const entered = isText(name) ? parseDate(value, lang, first) : value
    dates[name] = wanted[name] = entered ?? ''
    if (name === 'pickupDate') shared.adjustDropoff(config, dates)
    // A text that is not understood stays for its correction.
    calendar.show(dates['pickupDate'] ?? '', dates['dropoffDate'] ?? '')
    if (entered !== undefined) showShortened()
    else say('')
  })
  form.onsubmit = (event) => {
    event.preventDefault()
    const wrong = problem()
    if (wrong) refuse(wrong)
    else if (!isInline) sheet.close('done')
  }
  sheet.onclick = ({ target }) => {
    if (target === sheet && !isInline) sheet.close()
  }
  sheet.onclose = () => {
    closing.abort()
    sheet.remove()
    onClose(problem() === undefined ? dates : undefined, sheet.returnValue === 'done')
  }
  show()
  say(t('choosePickup'))
  // `show` would move the focus into the calendar.
  if (isInline) sheet.open = true
  else sheet.showModal()
  calendar.show(dates['pickupDate'] ?? '', dates['dropoffDate'] ?? '')
  sheet.scrollTop = 0
  if (error) refuse(error)
  else if (!isInline) void calendar.focus()
}

function momentFields(flow: Flow, moment: Moment): HTMLElement {
  const { config, shared, texts } = flow
  const { t } = texts
  // Browsers show native fields in their own language, which can be another one than that of the page.
  const isNative = matchMedia('(pointer: coarse)').matches
  const kind = isNative
    ? { type: 'date', min: shared.firstPickup(config), max: lastDate }
    : { type: 'text', autocomplete: 'off' }
  const date = input(`${moment}Date`, { ...kind, required: true })
  const { openingHours, specialDays } = config
  const id = `${moment}-hours`
  const hasHours = Boolean(openingHours || specialDays?.length)
  return make(
    'fieldset',
    { className: 'moment', 'aria-describedby': hasHours ? id : undefined },
    make('legend', {}, t(moment)),
    field(flow, date, t('date')),
    field(flow, select(`${moment}Time`, []), t('time')),
    hasHours && make('p', { id, className: 'hint hours' }),
  )
}

const isClosed = ({ config, shared }: Flow, date: string) =>
  shared.hoursAt(config, date).intervals.length === 0

/** Returns the opening hours of a date as text; empty if it is open all day. */
function hoursText({ config, texts, shared }: Flow, date: string): string {
  if (date === '') return ''
  const { t, clock } = texts
  const { intervals, name } = shared.hoursAt(config, date)
  const [first] = intervals
  if (first?.opens === '00:00' && first.closes === '24:00') return ''
  const times = intervals.map(({ opens, closes }) => `${clock(opens)}–${clock(closes)}`)
  const text = first ? t('open', { times: times.join(', ') }) : t('closed')
  return name ? `${text} (${name})` : text
}

/** Writes out a date; empty without a date. */
function dayText({ texts }: Flow, date: string): string {
  const options = { dateStyle: 'full', calendar: 'gregory', timeZone: 'UTC' } as const
  return date && new Intl.DateTimeFormat(texts.lang, options).format(new Date(date))
}
