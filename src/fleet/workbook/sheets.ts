import { canonicalLanguage } from '../../domain/languages.ts'
import type { FleetFile } from '../fleetFile.ts'
import { translatedField } from '../translatedTexts.ts'

type Tenant = FleetFile['tenant']
type Group = FleetFile['assetGroups'][number]
type Rate = Group['rates'][number]
type Extra = FleetFile['extras'][number]

export type CellKind =
  | 'text'
  | 'amount'
  | 'percent'
  | 'date'
  | 'wholeNumber'
  | 'yesNo'
  | { readonly choices: Readonly<Record<string, string>> }

/** A column of a sheet, or a row of the sheet `Company`. */
export interface Column {
  readonly title: string
  readonly kind: CellKind
  readonly note: string
  /** In characters; default 12. */
  readonly width?: number
  /** The sheet must have the column, and each row a value. */
  readonly required?: true
  /** Only in exports that need it. */
  readonly optional?: true
  /** May have columns beside it with the text in other languages, such as `Name (de)`. */
  readonly translatable?: true
}

const seasons = { 'per day': 'per_day', pickup: 'pickup' }
const pricing = { day: 'per_day', rental: 'per_rental' }

const company = {
  name: { title: 'Name', kind: 'text', required: true, note: 'Name of the rental company.' },
  timezone: {
    title: 'Time zone',
    kind: 'text',
    required: true,
    note: 'IANA time zone, such as Europe/Oslo.',
  },
  currency: {
    title: 'Currency',
    kind: 'text',
    required: true,
    note: 'ISO 4217 code of all prices, such as NOK.',
  },
  taxPercent: {
    title: 'Tax percent',
    kind: 'percent',
    required: true,
    note: 'Such as 25 % or 7.7 %.',
  },
  pricesIncludeTax: {
    title: 'Prices include tax',
    kind: 'yesNo',
    note: 'Yes: prices include the tax. No: the tax is added.',
  },
  gracePeriodMinutes: {
    title: 'Grace period minutes',
    kind: 'wholeNumber',
    note: 'How late a vehicle may come back without another charge.',
  },
  minLeadMinutes: {
    title: 'Minimum lead minutes',
    kind: 'wholeNumber',
    note: 'How long before the pickup a quote must be requested. Empty: pickups may lie in the past.',
  },
  seasons: {
    title: 'Seasons',
    kind: { choices: seasons },
    note: 'per day: each day has the rate of its date. pickup: all days have the rate of the first day.',
  },
  pendingHoldHours: {
    title: 'Pending hold hours',
    kind: 'wholeNumber',
    note: 'How long a pending booking counts as taken. Empty: until staff decide.',
  },
  customerRetentionMonths: {
    title: 'Customer retention months',
    kind: 'wholeNumber',
    note: 'After how many months customer data is erased. Empty: never.',
  },
  language: {
    title: 'Language',
    kind: 'text',
    note: 'The language of names and descriptions, such as en. A column such as Name (de) has a translation.',
  },
} satisfies Record<keyof Omit<Tenant, 'slug'>, Column>

const groups = {
  ref: {
    title: 'Group',
    kind: 'text',
    required: true,
    note: 'Short name of the vehicle class. The other sheets and later imports refer to it.',
  },
  name: {
    title: 'Name',
    kind: 'text',
    width: 20,
    translatable: true,
    note: 'Shown to customers. Empty: the group.',
  },
  category: { title: 'Category', kind: 'text', note: 'Kind of vehicle. Empty: car.' },
  description: {
    title: 'Description',
    kind: 'text',
    width: 40,
    translatable: true,
    note: 'Shown to customers.',
  },
  imageUrl: { title: 'Image URL', kind: 'text', width: 30, note: 'Web address of a picture.' },
  turnaroundMinutes: {
    title: 'Turnaround minutes',
    kind: 'wholeNumber',
    width: 20,
    note: 'How long a vehicle is prepared between two rentals. Empty: 0.',
  },
  currency: { title: 'Currency', kind: 'text', note: "Empty: the company's currency." },
} satisfies Record<keyof Omit<Group, 'id' | 'assets' | 'rates' | 'translations'>, Column>

const vehicles = {
  ref: {
    title: 'Vehicle',
    kind: 'text',
    required: true,
    width: 16,
    note: 'Such as the number plate. Each vehicle once.',
  },
  group: { title: 'Group', kind: 'text', required: true, note: 'A group of the sheet Groups.' },
} satisfies Record<string, Column>

const rates = {
  group: { title: 'Group', kind: 'text', required: true, note: 'A group of the sheet Groups.' },
  name: {
    title: 'Rate',
    kind: 'text',
    width: 16,
    translatable: true,
    note: 'Name of the price. Empty: Standard.',
  },
  dailyRate: { title: 'Per day', kind: 'amount', required: true, note: 'Price of a day.' },
  hourlyRate: {
    title: 'Per hour',
    kind: 'amount',
    note: 'Price of a started hour, if there is one.',
  },
  weeklyRate: { title: 'Per week', kind: 'amount', note: 'Price of 7 days, if there is one.' },
  monthlyRate: { title: 'Per month', kind: 'amount', note: 'Price of 30 days, if there is one.' },
  minDays: {
    title: 'Minimum days',
    kind: 'wholeNumber',
    note: 'Shortest rental, if there is one.',
  },
  validFrom: { title: 'Valid from', kind: 'date', note: 'First date. Empty: no limit.' },
  validTo: { title: 'Valid to', kind: 'date', note: 'Last date, included. Empty: no limit.' },
  ref: { title: 'Ref', kind: 'text', optional: true, note: 'Tells rates of one name apart.' },
} satisfies Record<'group' | keyof Omit<Rate, 'id' | 'translations'>, Column>

const extras = {
  name: {
    title: 'Extra',
    kind: 'text',
    required: true,
    width: 20,
    translatable: true,
    note: 'Shown to customers.',
  },
  price: { title: 'Price', kind: 'amount', required: true, note: 'Price of one unit.' },
  pricing: {
    title: 'Per',
    kind: { choices: pricing },
    required: true,
    note: 'day: the price is for each day. rental: for the whole rental.',
  },
  maxPrice: {
    title: 'At most',
    kind: 'amount',
    note: 'Highest price of one unit, however many days. Only for extras per day.',
  },
  currency: { title: 'Currency', kind: 'text', note: "Empty: the company's currency." },
  ref: { title: 'Ref', kind: 'text', optional: true, note: 'Tells extras of one name apart.' },
} satisfies Record<keyof Omit<Extra, 'id' | 'translations'>, Column>

/** The sheets of a fleet workbook. The sheet `Company` has these columns as rows. */
export const sheets = {
  Company: company,
  Groups: groups,
  Vehicles: vehicles,
  Rates: rates,
  Extras: extras,
} satisfies Record<string, Record<string, Column>>

export type SheetName = keyof typeof sheets
export const sheetNames = Object.keys(sheets) as SheetName[]

export const companyColumns = {
  setting: { title: 'Setting', kind: 'text', required: true, width: 24, note: 'Do not change.' },
  value: { title: 'Value', kind: 'text', required: true, width: 30, note: 'Your company.' },
} satisfies Record<string, Column>

export type Columns = Readonly<Record<string, Column>>

/** Returns the column for a translation of `column`, such as `Name (de)`. */
const translationColumn = ({ title, width }: Column, language: string): Column => ({
  title: `${title} (${language})`,
  kind: 'text',
  note: `${title} in the language ${language}. Empty: not translated.`,
  ...(width !== undefined && { width }),
})

/** Returns the columns, each one that can be translated followed by those of its translations. */
export function columnsIn(languages: readonly string[], columns: Columns): Columns {
  const all = Object.entries(columns).flatMap(([field, column]) => {
    const translated = column.translatable ? languages : []
    return [
      [field, column] as const,
      ...translated.map(
        (tag) => [translatedField(tag, field), translationColumn(column, tag)] as const,
      ),
    ]
  })
  return Object.fromEntries(all)
}

export function languagesOf(titles: readonly string[]): string[] {
  const tags = titles.map((title) => /\(([^()]+)\)$/.exec(title)?.[1] ?? '')
  return [...new Set(tags.flatMap((tag) => canonicalLanguage(tag.trim()) ?? []))]
}

/** Returns the name of a cell, such as `C7`; `row` and `column` begin with 0. */
export function cellName(row: number, column: number): string {
  let letters = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  }
  return `${letters}${row + 1}`
}
