import { z } from 'zod'
import { canonicalHours, type SpecialDay, weekdays } from '../domain/openingHours.ts'
import { shortText } from '../input/fields.ts'
import { isObject, validityDate } from './fieldTypes.ts'

export const timeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 07:00; 24:00 is midnight')

const opensLater = 'must be later than opens'

const weekly = z
  .strictObject({
    days: z
      .array(z.enum(weekdays, { error: 'must be a day from "monday" to "sunday"' }))
      .min(1, 'must have a day')
      .readonly()
      .describe('The days with these hours, such as monday.'),
    opens: timeOfDay.describe('Local time, such as 07:00.'),
    closes: timeOfDay.describe('Local time, later than opens. 24:00 is midnight.'),
  })
  .refine(({ opens, closes }) => !opens || !closes || opens < closes, {
    path: ['closes'],
    error: opensLater,
    when: isObject,
  })

const special = z
  .strictObject({
    from: validityDate.describe('First date, such as 2027-12-25.'),
    to: validityDate.nullish().describe('Last date, included. Default: from.'),
    opens: timeOfDay.nullish().describe('Local time, such as 08:00. Without times it is closed.'),
    closes: timeOfDay.nullish().describe('Local time, later than opens. 24:00 is midnight.'),
    name: shortText.nullish().describe('Shown in messages, such as Christmas.'),
  })
  .superRefine(
    ({ from, to, opens, closes }, { addIssue }) => {
      const report = (path: string, message: string) =>
        addIssue({ code: 'custom', path: [path], message })
      if (to && from && to < from) report('to', 'must not be before from')
      if (opens && closes && opens >= closes) report('closes', opensLater)
      if (opens && !closes) report('closes', 'is required with opens')
      if (closes && !opens) report('opens', 'is required with closes')
    },
    { when: isObject },
  )
  .transform(
    ({ from, to, opens, closes, name }): SpecialDay => ({
      from,
      to: to ?? from,
      opens: opens ?? null,
      closes: closes ?? null,
      name: name ?? null,
    }),
  )

type Times = Pick<SpecialDay, 'opens' | 'closes'>

/** Without times, an entry is about the whole day. */
const overlap = (a: Times, b: Times) =>
  (a.opens ?? '') < (b.closes ?? '~') && (b.opens ?? '') < (a.closes ?? '~')

/** Returns a check for entries that overlap an earlier one. `clash` describes where two overlap. */
const overlaps =
  <Entry>(clash: (a: Entry, b: Entry) => string | undefined) =>
  (list: readonly Entry[], { addIssue }: z.RefinementCtx) => {
    for (const [index, entry] of list.entries()) {
      for (const [earlier, other] of list.slice(0, index).entries()) {
        const where = clash(other, entry)
        if (where === undefined) continue
        const message = `overlaps entry ${earlier + 1}${where}`
        addIssue({ code: 'custom', path: [index], message })
        break
      }
    }
  }

/** Two entries that close a date do not clash. */
const clashOfDates = (a: SpecialDay, b: SpecialDay) => {
  const haveDate = a.from <= b.to && b.from <= a.to
  return haveDate && (a.opens ?? b.opens) !== null && overlap(a, b) ? '' : undefined
}

export const openingHoursField = z
  .array(weekly)
  .min(1, 'must have an entry; null means always open')
  .superRefine(
    overlaps((a, b) => {
      const day = overlap(a, b) ? a.days.find((each) => b.days.includes(each)) : undefined
      return day && ` on ${day}`
    }),
  )
  .transform(canonicalHours)
  .readonly()
  .nullable()
  .default(null)
  .describe('When vehicles are picked up and dropped off, by weekday. Null: always open.')

export const specialDaysField = z
  .array(special)
  .superRefine(overlaps(clashOfDates))
  .readonly()
  .default([])
  .describe('Dates whose hours replace those of the weekday, such as holidays.')
