import { foldText } from '../../domain/foldText.ts'
import { weekdays } from '../../domain/openingHours.ts'
import { dayMs, minuteMs } from '../../domain/units.ts'
import { normalizeLine } from '../../input/fields.ts'
import type { CellKind } from '../fields.ts'

/** A cell that is not empty. */
export interface Cell {
  readonly value: string | number | boolean | Date
  /** Set for a cell whose value cannot be used, such as an error value. */
  readonly problem?: string | undefined
  /** A number as the cell shows it, such as `29 %`. */
  readonly shown?: string
  /** Whether the cell shows its number as a percentage. */
  readonly isPercentage?: boolean
}

/** The value of a cell in the fleet file, or the problem of the cell. */
export type Parsed<Value = unknown> = { readonly value: Value } | { readonly problem: string }

/**
 * Parses a cell by the kind of its column (docs/fleet.md#cells). `hasDecimals` is false if no
 * currency of the file has decimals.
 */
export function parseCell(given: Cell, kind: CellKind, hasDecimals = true): Parsed {
  if (given.problem !== undefined) return { problem: given.problem }
  if (kind === 'text') return parseText(given)
  if (kind === 'lines') return parseLines(given)
  // Full-width digits and signs of Japanese keyboards become ASCII.
  const { value } = given
  const cell = typeof value === 'string' ? { ...given, value: value.normalize('NFKC') } : given
  if (typeof kind === 'object') return parseChoice(cell, kind.choices)
  return parsers[kind](cell, hasDecimals)
}

const parsers = {
  amount: parseAmountCell,
  percent: parsePercent,
  date: parseDate,
  wholeNumber: parseWholeNumber,
  time: parseTime,
  day: parseDay,
} satisfies Record<
  Exclude<Extract<CellKind, string>, 'text' | 'lines'>,
  (cell: Cell, hasDecimals: boolean) => Parsed
>

function quoted({ value, shown, isPercentage }: Cell): string {
  if (isPercentage) return String(shown)
  if (value instanceof Date) return `the date ${value.toISOString().slice(0, 10)}`
  return typeof value === 'string' ? `"${value}"` : String(value).toUpperCase()
}

/** Drops the digits that binary fractions add: 39.900000000000006 is 39.9. */
const decimalOf = (number: number) => String(Number(number.toPrecision(15)))

function parseText(cell: Cell): Parsed<string> {
  const { value, shown } = cell
  if (typeof value === 'string') return { value }
  const number = typeof value === 'number' ? decimalOf(value) : undefined
  if (number !== undefined && number === (shown ?? number)) return { value: number }
  const what = number === undefined ? quoted(cell) : `the number ${number} shown as ${shown}`
  return { problem: `must be text, not ${what}: format the cell as text and type it again` }
}

function parseLines(cell: Cell): Parsed {
  const parsed = parseText(cell)
  if ('problem' in parsed) return parsed
  const lines = parsed.value.split(/[\r\n\v\f\u0085\u2028\u2029]/)
  return { value: lines.filter((line) => line.trim() !== '') }
}

/**
 * Parses an amount. Text is accepted if it has one meaning: one dot or comma before three digits
 * may separate thousands or decimals.
 */
function parseAmountCell(cell: Cell, hasDecimals: boolean): Parsed {
  const { value } = cell
  const problem = `must be an amount such as 59.90, not ${quoted(cell)}`
  if (typeof value === 'number') {
    const decimal = cell.isPercentage ? '' : decimalOf(value)
    return /^\d{1,15}(\.\d+)?$/.test(decimal) ? { value: decimal } : { problem }
  }
  const text = typeof value === 'string' ? value : ''
  if (/^\d{1,3}[.,]\d{3}$/.test(text)) {
    const [dot, comma] = [text.replace(',', '.'), text.replace(/[.,]/, '')]
    if (!hasDecimals) return { value: comma }
    return { problem: `${quoted(cell)} can mean ${dot} or ${comma}: enter a number, not text` }
  }
  // Spaces of any kind and apostrophes separate thousands only.
  const [, whole, fraction] =
    /^(\d{1,15})(?:[.,](\d+))?$/.exec(text) ??
    /^(\d{1,3}(?:[\p{Zs}'’]\d{3})+)(?:[.,](\d+))?$/u.exec(text) ??
    /^(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/.exec(text) ??
    /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text) ??
    []
  if (whole === undefined) return { problem }
  const digits = whole.replace(/\D/g, '')
  return { value: fraction === undefined ? digits : `${digits}.${fraction}` }
}

/** Parses a tax rate. A fraction that is not shown as a percentage is ambiguous. */
function parsePercent(cell: Cell): Parsed {
  const { value } = cell
  if (typeof value === 'number' && cell.isPercentage) return { value: decimalOf(value * 100) }
  const text = typeof value === 'number' ? decimalOf(value) : String(value)
  const [, whole, fraction, sign] = /^(\d+)(?:[.,](\d+))?\s*(%?)$/u.exec(text) ?? []
  if (whole === undefined)
    return { problem: `must be a percentage such as 25 %, not ${quoted(cell)}` }
  const percent = fraction === undefined ? whole : `${whole}.${fraction}`
  if (sign === '%' || !(Number(percent) > 0 && Number(percent) < 1)) return { value: percent }
  const other = decimalOf(Number(percent) * 100)
  return { problem: `${percent} can mean ${percent} % or ${other} %: format the cell as %` }
}

function parseDate(cell: Cell): Parsed {
  const { value } = cell
  if (value instanceof Date) {
    const iso = value.toISOString()
    return iso.endsWith('T00:00:00.000Z')
      ? { value: iso.slice(0, 10) }
      : { problem: `must be a date without a time of day, not ${iso.slice(0, 16)}` }
  }
  const text = typeof value === 'string' ? value : ''
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { value: text }
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  if (day !== undefined && month !== undefined) {
    return { value: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` }
  }
  const why = text.includes('/') ? ', in which day and month can be mixed up' : ''
  return { problem: `must be a date, or text such as 2027-06-01, not ${quoted(cell)}${why}` }
}

/** The dates that a cell with only a time has, in the two date systems and in ISO cells. */
const firstDays = [Date.UTC(1899, 11, 31), Date.UTC(1904, 0, 1), Date.UTC(1899, 11, 30)]

function parseTime(cell: Cell): Parsed {
  const { value } = cell
  const problem = `must be a time such as 7:00, not ${quoted(cell)}`
  let minutes = Number.NaN
  if (value instanceof Date) {
    const sinceMs = firstDays.map((first) => value.getTime() - first)
    minutes = (sinceMs.find((ms) => ms >= 0 && ms <= dayMs) ?? Number.NaN) / minuteMs
  } else if (typeof value === 'number') minutes = value * 24 * 60
  else {
    const [, hour, minute = '0', half] =
      /^(\d{1,2})(?:[:.](\d\d))?\s*(?:([ap])\.?m\.?)?$/i.exec(String(value)) ?? []
    if (hour !== undefined && (half || String(value).length > 2))
      minutes = (half ? hourOf12(Number(hour), half) : Number(hour)) * 60 + Number(minute)
    if (Number(minute) > 59) return { problem }
  }
  const rounded = Math.round(minutes)
  if (!(rounded >= 0 && rounded <= 24 * 60)) return { problem }
  const [hours, rest] = [Math.floor(rounded / 60), rounded % 60]
  return { value: `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}` }
}

/** Returns the hour of the day of a time with AM or PM: 12 AM is midnight. */
const hourOf12 = (hour: number, half: string) =>
  hour < 1 || hour > 12 ? Number.NaN : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)

/** Parses a date, or weekdays such as `Mon` and `Mon-Fri`, which become a list. */
function parseDay(cell: Cell): Parsed {
  if (cell.value instanceof Date || /\d/.test(String(cell.value))) return parseDate(cell)
  const typed = foldText(normalizeLine(String(cell.value)))
  const [first, last = first, ...more] = typed.split(/\s*[-\u2010-\u2015]\s*/).map(weekdayAt)
  if (first === undefined || last === undefined || first < 0 || last < 0 || more.length > 0) {
    const days = 'a weekday such as Monday or Mon-Fri, or a date such as 2027-12-25'
    return { problem: `must be ${days}, not ${quoted(cell)}` }
  }
  const length = ((last - first + 7) % 7) + 1
  return { value: Array.from({ length }, (_, index) => weekdays[(first + index) % 7]) }
}

/** Returns the index of a weekday, long or short, or -1. */
const weekdayAt = (word: string) => {
  const name = word.replace(/\.$/, '')
  return name.length < 3 ? -1 : weekdays.findIndex((day) => day.startsWith(name))
}

function parseWholeNumber(cell: Cell): Parsed {
  const { value } = cell
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(number)) return { value: number }
  return { problem: `must be a whole number, not ${quoted(cell)}` }
}

/** Parses a choice: its word, or its value, such as a logical value. */
function parseChoice(cell: Cell, choices: Readonly<Record<string, unknown>>): Parsed {
  const typed = foldText(normalizeLine(String(cell.value)))
  const found = Object.entries(choices).find(([word, of]) => word === typed || of === cell.value)
  if (found !== undefined) return { value: found[1] }
  return { problem: `must be ${Object.keys(choices).join(' or ')}, not ${quoted(cell)}` }
}
