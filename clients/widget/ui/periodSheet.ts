import type { Flow } from '../flow.ts'
import { enteredLength, firstPickup, lastDate, type Moment, periodOf } from '../period.ts'
import type { Texts } from '../texts.ts'
import { make } from './dom.ts'
import { isField } from './form.ts'
import { field, input, select } from './parts.ts'

/** The offered times in half hours: from 07:00 to 21:30. */
const openingAt = 14
const timesCount = 30
const halfHourMs = 1_800_000

/** Returns the dialog with the fields of a period and a place for the calendar. */
export function periodSheet(flow: Flow) {
  const { t } = flow.texts
  const onclick = () => sheet.close()
  const close = make(
    'button',
    { type: 'button', className: 'quiet', ariaLabel: t('close'), onclick },
    '×',
  )
  const length = make('strong', { role: 'status' })
  const place = make('div', { className: 'calendar' })
  const zone = t('zone', { zone: flow.config.timeZone.replaceAll('_', ' ') })
  const moments = [momentFields(flow, 'pickup'), momentFields(flow, 'dropoff')]
  const form = make(
    'form',
    { className: 'sheet-form', noValidate: true },
    make('div', { className: 'sheet-head' }, make('h3', { id: 'sheet-title' }, t('period')), close),
    make('div', { className: 'moments' }, ...moments),
    place,
    make('p', { className: 'hint' }, zone),
    make(
      'div',
      { className: 'sheet-foot' },
      length,
      make('button', { className: 'primary' }, t('done')),
    ),
  )
  const sheet = make('dialog', { className: 'sheet', 'aria-labelledby': 'sheet-title' }, form)

  /** Shows the entered values. */
  function showFields(): void {
    for (const control of [...form.elements].filter(isField)) {
      control.value = flow.visit.fields[control.name] ?? ''
    }
    length.textContent = periodOf(flow) ? flow.texts.length(...enteredLength(flow)) : ''
  }
  return { sheet, form, place, showFields }
}

function momentFields(flow: Flow, moment: Moment): HTMLElement {
  const { texts } = flow
  const date = input(`${moment}Date`, {
    type: 'date',
    min: firstPickup(flow),
    max: lastDate,
    required: true,
  })
  return make(
    'fieldset',
    { className: 'moment' },
    make('legend', {}, texts.t(moment)),
    field(flow, date, texts.t('date')),
    field(flow, select(`${moment}Time`, times(texts)), texts.t('time')),
  )
}

const times = ({ clock }: Texts) =>
  Array.from({ length: timesCount }, (_, at) => {
    const time = new Date((openingAt + at) * halfHourMs).toISOString().slice(11, 16)
    return [time, clock(time)] as const
  })
