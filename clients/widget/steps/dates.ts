import type { Period } from '../config.ts'
import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { markField, onSubmit } from '../form.ts'
import { field, input, section, select } from '../parts.ts'
import type { Texts } from '../texts.ts'
import { dayMs, instantMs, wallClockMs } from '../zone.ts'

/** The offered times in half hours: from 07:00 to 21:30. */
const openingAt = 14
const timesCount = 30
const halfHourMs = 1_800_000
const usualTime = '10:00'
const usualDays = 3
/** The API's limit of a rental. */
const daysMax = 366
/** The API's last day. Without a maximum, browsers accept years of six digits. */
const lastDate = '2100-12-31'

const dateOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10)
const daysLater = (date: string, days: number) => dateOf(Date.parse(date) + days * dayMs)

/** Returns the step with the pickup and drop-off fields; `periodOf` reads their values. */
export function datesStep(flow: Flow): HTMLElement {
  const { config, texts } = flow
  const { t } = texts
  const today = dateOf(wallClockMs(new Date(), config.timeZone))
  const pickup = fields(flow, 'pickup', daysLater(today, 1))
  const dropoff = fields(flow, 'dropoff', daysLater(pickup.date.value, usualDays))
  pickup.date.min = today
  const bound = () => {
    dropoff.date.min = pickup.date.value || today
  }
  bound()
  pickup.date.onchange = () => {
    bound()
    // A pickup after the drop-off moves the drop-off.
    if (pickup.date.value !== '' && dropoff.date.value <= pickup.date.value) {
      dropoff.date.value = daysLater(pickup.date.value, usualDays)
      dropoff.date.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  const form = make('form', {}, make('div', { className: 'columns' }, pickup.group, dropoff.group))
  const zone = t('zone', { zone: config.timeZone.replaceAll('_', ' ') })
  const summary = make('p')
  // Shows the month as a word, because date fields show day and month in the order of the browser's
  // locale.
  const summarize = () => {
    const period = periodOf(flow)
    summary.replaceChildren(period ? texts.period(period) : '', make('br'), zone)
  }
  summarize()
  form.addEventListener('input', summarize)
  onSubmit(flow, {
    ...{ form, summary, onward: t('find'), progress: () => 'finding' },
    async run() {
      const wrong = await wrongField(flow, [pickup, dropoff])
      if (wrong !== undefined) return wrong.focus()
      await flow.open('vehicle')
    },
  })
  return section(t('titleDates'), form)
}

type Moment = ReturnType<typeof fields>

function fields(flow: Flow, name: 'pickup' | 'dropoff', usual: string) {
  const { texts } = flow
  const date = input(`${name}Date`, {
    ...{ type: 'date', value: usual, max: lastDate, required: true },
  })
  const time = select(`${name}Time`, times(texts))
  time.value = usualTime
  const group = make(
    'fieldset',
    { className: 'moment' },
    make('legend', {}, texts.t(name)),
    field(flow, date, texts.t('date')),
    field(flow, time, texts.t('time')),
  )
  // Default values count as entered.
  for (const control of [date, time]) flow.visit.fields[control.name] = control.value
  return { date, time, group }
}

const times = ({ clock }: Texts) =>
  Array.from({ length: timesCount }, (_, at) => {
    const time = new Date((openingAt + at) * halfHourMs).toISOString().slice(11, 16)
    return [time, clock(time)] as const
  })

/** Returns the entered local time in milliseconds, read as UTC; NaN without a date. */
const wallMs = ({ visit: { fields } }: Flow, name: 'pickup' | 'dropoff') =>
  Date.parse(`${fields[`${name}Date`]}T${fields[`${name}Time`]}Z`)

/** Returns the instant of the entered local time; empty without a date or with a half-typed year. */
function instantOf(flow: Flow, name: 'pickup' | 'dropoff'): string {
  const ms = wallMs(flow, name)
  return ms > 0 ? new Date(instantMs(ms, flow.config.timeZone)).toISOString() : ''
}

/** Returns the entered period; undefined if a date is missing. */
export function periodOf(flow: Flow): Period | undefined {
  const pickupDatetime = instantOf(flow, 'pickup')
  const dropoffDatetime = instantOf(flow, 'dropoff')
  return pickupDatetime && dropoffDatetime ? { pickupDatetime, dropoffDatetime } : undefined
}

/** Marks and returns the first invalid field; undefined if the period is valid. */
async function wrongField(flow: Flow, [pickup, dropoff]: [Moment, Moment]) {
  const { t } = flow.texts
  const pickupDatetime = instantOf(flow, 'pickup')
  const wrong = (moment: Moment, text: Parameters<typeof t>[0]) => {
    const { date, time } = moment
    const asked = text === 'tooLong' || !date.validity.valid ? date : time
    markField(asked, t(text))
    return asked
  }
  // The visitor's clock may be hours ahead, so the server's clock decides.
  const seemsPast = pickupDatetime < new Date().toISOString()
  const isPast = seemsPast && (pickupDatetime === '' || (await flow.isPast(pickupDatetime)))
  if (isPast) return wrong(pickup, 'passed')
  if (instantOf(flow, 'dropoff') <= pickupDatetime) return wrong(dropoff, 'reversed')
  const isLong = wallMs(flow, 'dropoff') - wallMs(flow, 'pickup') > daysMax * dayMs
  return isLong ? wrong(dropoff, 'tooLong') : undefined
}
