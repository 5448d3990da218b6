import { z } from 'zod'
import { canonicalLanguage } from '../../domain/languages.ts'
import { shortText, wholeNumber } from '../../input/fields.ts'
import {
  extraFields,
  type FleetField,
  type FleetFields,
  groupFields,
  ownCurrency,
  rateFields,
  tenantFields,
} from '../fields.ts'
import { validityDate } from '../fieldTypes.ts'
import { timeOfDay } from '../hoursFields.ts'
import { translatedField } from '../translatedTexts.ts'

/** A column of a sheet, or a row of the sheet `Company`. */
export interface Column extends FleetField {
  readonly title: string
}

export type Columns = Readonly<Record<string, Column>>

/** Returns the fields that have a title. */
const columnsOf = (fields: FleetFields): Columns =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Column] => entry[1].title !== null),
  )

const groupOfRow = {
  title: 'Group',
  required: true,
  field: shortText.describe('A group of the sheet Groups.'),
}

const time = (title: string, description: string): Column => {
  return { title, kind: 'time', field: timeOfDay.nullable().describe(description) }
}

/** The sheets of a fleet workbook. */
export const sheets = {
  Company: columnsOf({
    setting: {
      title: 'Setting',
      required: true,
      width: 28,
      field: shortText.describe('Do not change.'),
    },
    value: {
      title: 'Value',
      required: true,
      translatable: true,
      width: 30,
      field: shortText.describe('Your company.'),
    },
  }),
  Groups: columnsOf({ ...groupFields, currency: ownCurrency }),
  Vehicles: columnsOf({
    ref: {
      title: 'Vehicle',
      required: true,
      width: 16,
      field: shortText.describe('Such as the number plate. Each vehicle once.'),
    },
    group: groupOfRow,
  }),
  Rates: columnsOf({ group: groupOfRow, ...rateFields }),
  Hours: columnsOf({
    from: {
      title: 'Day',
      kind: 'day',
      required: true,
      width: 16,
      field: z.any().describe('A weekday, such as Monday or Mon-Fri, or a date such as a holiday.'),
    },
    to: {
      title: 'Until',
      kind: 'date',
      field: validityDate.nullable().describe('Last date, for several dates.'),
    },
    opens: time('Opens', 'Such as 7:00. Without times it is closed.'),
    closes: time('Closes', 'Such as 22:00; 24:00 is midnight.'),
    name: {
      title: 'Note',
      width: 24,
      field: shortText.nullable().describe('Shown to customers for a date, such as Christmas.'),
    },
  }),
  Extras: columnsOf({ ...extraFields, currency: ownCurrency }),
}

/** The rows of the sheet `Company`. `state` is not a term: an import compares it. */
export const settings = columnsOf({
  ...tenantFields,
  state: {
    title: 'State',
    kind: 'wholeNumber',
    field: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Do not change. Tells what was changed elsewhere since this file was written.'),
  },
})

export type SheetName = keyof typeof sheets
export const sheetNames = Object.keys(sheets) as SheetName[]

/** Returns the column for a translation of `column`, such as `Name (de)`. */
const translationColumn = ({ title, width }: Column, language: string): Column => ({
  title: `${title} (${language})`,
  field: z.string().nullable().describe(`${title} in the language ${language}.`),
  ...(width !== undefined && { width }),
})

/** Returns the columns, each one that can be translated followed by those of its translations. */
export function columnsIn(languages: readonly string[], columns: Columns): Columns {
  const all = Object.entries(columns).flatMap(([field, column]) => {
    const translated = column.translatable ? languages : []
    const translations = translated.map(
      (tag) => [translatedField(tag, field), translationColumn(column, tag)] as const,
    )
    return [[field, column] as const, ...translations]
  })
  return Object.fromEntries(all)
}

/** Returns the field of a setting whose value, or translation, is in this column of `Company`. */
export const fieldOfValue = (column: string, setting: string) => column.replace(/value$/, setting)

/** Returns the languages in titles such as `Name (de)`. */
export function languagesOf(titles: readonly string[]): string[] {
  const tags = titles.map((title) => /\(([^()]+)\)$/.exec(title)?.[1] ?? '')
  return [...new Set(tags.flatMap((tag) => canonicalLanguage(tag.trim()) ?? []))]
}
