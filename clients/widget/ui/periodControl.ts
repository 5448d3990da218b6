import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import { adjustDropoff, enteredLength, type Moment, periodError, periodOf } from '../period.ts'
import { lazyCalendar } from './calendar.ts'
import { button, make } from './dom.ts'
import { isField, markField } from './form.ts'
import { periodSheet } from './periodSheet.ts'

const names = ['pickupDate', 'pickupTime', 'dropoffDate', 'dropoffTime'] as const
const done = 'done'

export interface PeriodControl {
  /** The button that shows the period and opens the sheet. */
  readonly element: HTMLElement
  readonly sheet: HTMLDialogElement
  /** Opens the sheet with an error. Without an argument, only if the entered period is invalid. */
  refuse(error?: readonly [field: string, error: MessageId]): boolean
}

/** Returns a button with the period, and the sheet in which the period is chosen. */
export function periodControl(flow: Flow, onChange: () => void = () => {}): PeriodControl {
  const { visit, texts } = flow
  const { sheet, form, place, showFields } = periodSheet(flow)
  const element = button('', open, 'when')
  const calendar = lazyCalendar(flow, place, (dates) => {
    Object.assign(visit.fields, dates)
    showFields()
    form.dispatchEvent(new Event('input', { bubbles: true }))
  })
  let before: Record<string, string | undefined> = {}

  function open(): void {
    before = Object.fromEntries(names.map((name) => [name, visit.fields[name]]))
    showFields()
    sheet.returnValue = ''
    sheet.showModal()
    void calendar.open()
  }
  function refuse(error = periodError(flow)): boolean {
    if (error === undefined) return false
    const [name, text] = error
    if (!sheet.open) open()
    const control = form.elements.namedItem(name)
    if (!isField(control)) return true
    markField(control, texts.message(text), form)
    control.focus()
    return true
  }
  form.addEventListener('input', ({ target }) => {
    if (isField(target)) {
      if (target.name === 'pickupDate') adjustDropoff(flow)
      calendar.show()
    }
    visit.save()
    showFields()
  })
  form.onsubmit = (event) => {
    event.preventDefault()
    if (!refuse()) sheet.close(done)
  }
  sheet.onclick = ({ target }) => {
    if (target === sheet) sheet.close()
  }
  sheet.onclose = () => {
    if (sheet.returnValue !== done) Object.assign(visit.fields, before)
    visit.save()
    showPeriod(flow, element)
    if (names.some((name) => visit.fields[name] !== before[name])) onChange()
  }
  showPeriod(flow, element)
  return { element, sheet, refuse }
}

/** Writes out the entered period. */
function showPeriod(flow: Flow, place: HTMLElement): void {
  const { t, day, clock, length } = flow.texts
  const { fields } = flow.visit
  const period = periodOf(flow)
  const part = (name: Moment) => {
    const date = make('b', {}, period ? day(period[`${name}Datetime`]) : '—')
    const time = make('span', {}, period && clock(fields[`${name}Time`] ?? ''))
    return make('span', {}, make('small', {}, t(name)), date, ' ', time)
  }
  place.replaceChildren(
    part('pickup'),
    make('span', { className: 'arrow' }),
    part('dropoff'),
    make('span', { className: 'length' }, period && length(...enteredLength(flow))),
  )
}
