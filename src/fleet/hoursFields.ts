import { z } from 'zod'
import { canonicalHours, type SpecialDay, type Weekday, weekdays } from '../domain/openingHours.ts'
import { shortText } from '../input/fields.ts'
import { validityDate } from './fieldTypes.ts'

export const timeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 07:00; 24:00 is midnight')

const opensLater = 'must be later than opens'

/** Lets a rule of several fields also run when others are invalid. */
const isObject = ({ value }: { readonly value: unknown }) => Object(value) === value

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

export const openingHoursField = z
  .array(weekly)
  .min(1, 'must have an entry; null means always open')
  .superRefine(reportOverlappingHours)
  .transform(canonicalHours)
  .readonly()
  .nullable()
  .default(null)
  .describe('When vehicles are picked up and dropped off, by weekday. Null: always open.')

export const specialDaysField = z
  .array(special)
  .superRefine(reportOverlappingDays)
  .readonly()
  .default([])
  .describe('Dates whose hours replace those of the weekday, such as holidays.')

type WeeklyHours = z.output<typeof weekly>

const overlap = (
  a: { readonly opens: string; readonly closes: string },
  b: { readonly opens: string; readonly closes: string },
) => a.opens < b.closes && b.opens < a.closes

function reportOverlappingHours(list: WeeklyHours[], { addIssue }: z.RefinementCtx): void {
  const before = new Map<Weekday, { readonly hours: WeeklyHours; readonly index: number }[]>()
  for (const [index, hours] of list.entries()) {
    for (const day of hours.days) {
      const others = before.get(day) ?? []
      const other = others.find((each) => overlap(each.hours, hours))
      if (other !== undefined) {
        const message = `overlaps entry ${other.index + 1} on ${day}`
        addIssue({ code: 'custom', path: [index], message })
      }
      before.set(day, [...others, { hours, index }])
    }
  }
}

function reportOverlappingDays(list: SpecialDay[], { addIssue }: z.RefinementCtx): void {
  for (const [index, day] of list.entries()) {
    const other = list.slice(0, index).findIndex((each) => contradicts(each, day))
    if (other === -1) continue
    const message = `overlaps entry ${other + 1}`
    addIssue({ code: 'custom', path: [index], message })
  }
}

/** Reports whether two entries give a date other hours. Two that close it do not contradict. */
function contradicts(a: SpecialDay, b: SpecialDay): boolean {
  if (a.to < b.from || b.to < a.from) return false
  if (a.opens === null || b.opens === null) return a.opens !== b.opens
  return overlap(
    { opens: a.opens, closes: a.closes ?? '' },
    { opens: b.opens, closes: b.closes ?? '' },
  )
}
