import { dateAfter } from '../../src/domain/openingHours.ts'
import type { ConfigWithTimeZone } from './config.ts'
import { fillPeriod, type Moment, periodError } from './period.ts'
import type { Visit } from './visit.ts'

/** Date-times of the page on the station's clock, such as `2027-06-01T10:00`. */
export type Given = Readonly<Record<Moment, string | null>>

/**
 * Takes the dates of the page, unless the visit has taken them before, and shows the vehicles if both
 * are given. Wrong dates are ignored and logged.
 */
export function prefill(config: ConfigWithTimeZone, visit: Visit, given: Given): void {
  const taken = `${given.pickup} ${given.dropoff}`
  if (taken === visit.given || visit.sent) return
  visit.given = taken
  const fields: Record<string, string> = {}
  let isWhole = true
  for (const moment of ['pickup', 'dropoff'] as const) {
    const value = given[moment]
    const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/.exec(value ?? '') ?? []
    const isRight = !Number.isNaN(Date.parse(value ?? '')) && date && dateAfter(date, 0) === date
    if (isRight) Object.assign(fields, { [`${moment}Date`]: date, [`${moment}Time`]: time })
    else isWhole = false
    if (!isRight && value) warn(moment, value)
  }
  if (Object.keys(fields).length === 0) return
  fillPeriod(config, fields)
  const [wrong, text = ''] = periodError(config, fields) ?? []
  // Dates outside the opening hours are kept, because the calendar shows the visitor the reason.
  if (wrong && !text.startsWith('closed')) warn(wrong.slice(0, -4), taken)
  else {
    Object.assign(visit.fields, fields)
    visit.step = isWhole ? 'vehicle' : 'dates'
  }
}

function warn(name: string, value: string): void {
  // biome-ignore lint/suspicious/noConsole: for the developer of the page.
  console.warn(`<rental-booking>: ${name} cannot be booked and is ignored: ${value}`)
}
