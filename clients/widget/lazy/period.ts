import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import { lastDate, lastDropoff, type Moment, type PeriodError } from '../period.ts'
import { dateText, parseDate } from '../typedDate.ts'
import { make } from '../ui/dom.ts'
import { field, input, select } from '../ui/parts.ts'
import { sheet as calendarSheet, rangeCalendar } from './calendar.ts'

const moments = ['pickup', 'dropoff'] as const
const names = ['pickupDate', 'pickupTime', 'dropoffDate', 'dropoffTime'] as const

/**
 * Opens a dialog in which the period is changed, and adds it to `place`. Calls `onClose` with the new
 * period, or without one if it is incomplete. `error`: a field of the period and what is wrong with it.
 */
export function openPeriod(
  flow: Flow,
  place: HTMLElement,
  onClose: (dates?: Fields) => void,
  error?: PeriodError,
): void {
  const { config, texts, visit, shared } = flow
  const { enteredLength, isField, markField, openDate, periodError, periodOf } = shared
  const { t, lang } = texts
  const first = shared.firstPickup(config)
  const dates = Object.fromEntries(names.map((name) => [name, visit.fields[name] ?? '']))
  const status = make('strong', { role: 'status' })
  /** What the status says unless a closed day has the focus. */
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
    make('div', { className: 'sheet-head' }, make('h3', { id: 'sheet-title' }, t('period')), close),
    make('div', { className: 'moments' }, ...moments.map((moment) => momentFields(flow, moment))),
    calendarPlace,
    make('p', { className: 'hint' }, zone),
    make(
      'div',
      { className: 'sheet-foot' },
      status,
      make('button', { className: 'primary' }, t('done')),
    ),
  )
  const sheet = make('dialog', { className: 'sheet', 'aria-labelledby': 'sheet-title' }, form)
  place.replaceChildren(sheet)
  flow.adopt(calendarSheet)
  const calendar = rangeCalendar({
    locale: lang,
    first,
    last: lastDate,
    today: shared.todayAt(config),
    lastDropoff,
    isDisallowed: (date) => date >= first && isClosed(flow, date),
    onFocus(date) {
      status.textContent = isClosed(flow, date)
        ? `${dayText(flow, date)}: ${hoursText(flow, date)}`
        : message
    },
    texts: { previous: t('previousMonth'), next: t('nextMonth') },
    onChoose(pickupDate, dropoffDate) {
      const kept = dates['dropoffDate'] ?? ''
      const dropoff = dropoffDate ?? (kept > pickupDate ? kept : '')
      Object.assign(dates, { pickupDate, dropoffDate: dropoff })
      // Clears an error.
      form.dispatchEvent(new Event('input'))
      show()
      if (dropoffDate === undefined) say(t('nowDropoff'))
    },
  })
  calendarPlace.append(calendar.element)

  /** Shows the entered values. */
  function show(): void {
    for (const moment of moments) offerTimes(moment)
    for (const name of names) fieldOf(name).value = shown(name)
    say(periodOf(config, dates) ? texts.length(...enteredLength(dates)) : '')
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
    dates[name] = shared.nearestTime(offered, dates[name])
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
    dates[name] = entered ?? ''
    if (name === 'pickupDate') shared.adjustDropoff(config, dates)
    // A text that is not understood stays for its correction.
    if (entered !== undefined) show()
    else say('')
    calendar.show(dates['pickupDate'] ?? '', dates['dropoffDate'] ?? '')
  })
  form.onsubmit = (event) => {
    event.preventDefault()
    const wrong = problem()
    if (wrong) refuse(wrong)
    else sheet.close()
  }
  sheet.onclick = ({ target }) => {
    if (target === sheet) sheet.close()
  }
  sheet.onclose = () => {
    sheet.remove()
    onClose(problem() === undefined ? dates : undefined)
  }
  show()
  calendar.show(dates['pickupDate'] ?? '', dates['dropoffDate'] ?? '')
  sheet.showModal()
  sheet.scrollTop = 0
  if (error) refuse(error)
  else void calendar.focus()
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
