import { dateAfter } from '../../src/domain/openingHours.ts'

type Part = 'year' | 'month' | 'day'

const formatOf = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    calendar: 'gregory',
    timeZone: 'UTC',
  })

/** Formats a date such as `2026-11-30` in the digits of a language; empty without a date. */
export const dateText = (date: string, locale: string) =>
  date && formatOf(locale).format(new Date(date))

/** Replaces the digits of a language by those of ASCII. */
function asciiDigits(text: string, locale: string): string {
  const own = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)
  return [...own].reverse().reduce((result, digit, at) => result.replaceAll(digit, `${at}`), text)
}

/**
 * Parses a date in the order of a language or of ISO 8601. Without a year, returns the next such date
 * from `first` on.
 * @returns a date such as `2026-11-30`; undefined if the text is not a date
 */
export function parseDate(text: string, locale: string, first: string): string | undefined {
  const order = formatOf(locale)
    .formatToParts()
    .map(({ type }) => type)
    .filter((type): type is Part => /^(year|month|day)$/.test(type))
  const digits = asciiDigits(text, locale).match(/\d+/g) ?? []
  const numbers = digits.length === 1 ? cut(digits[0] ?? '', order) : digits
  if (numbers.length < 2 || numbers.length > 3 || /\p{L}/u.test(text)) return undefined
  const parts = partsOf(numbers, order)
  // No month is above 12: the visitor typed in the order of another language.
  if (+parts.month > 12) [parts.month, parts.day] = [parts.day, parts.month]
  const { month, day, year = first.slice(0, 4) } = parts
  const pad = (number: string) => number.padStart(2, '0')
  const date = `${year.length < 4 ? `20${pad(year)}` : year}-${pad(month)}-${pad(day)}`
  if (parts.year === undefined && date < first) {
    return parseDate(`${+year + 1}-${pad(month)}-${pad(day)}`, locale, first)
  }
  return isDate(date) ? date : undefined
}

const isDate = (date: string) => !Number.isNaN(Date.parse(date)) && dateAfter(date, 0) === date

/** Cuts a date without separators, with a year of two or four digits. */
function cut(digits: string, order: readonly Part[]): string[] {
  if (digits.length !== 6 && digits.length !== 8) return []
  let from = 0
  return order.map((part) => {
    const to = from + (part === 'year' ? digits.length - 4 : 2)
    const number = digits.slice(from, to)
    from = to
    return number
  })
}

/** Names the numbers of a date. A number of four digits is the year. */
function partsOf(numbers: readonly string[], order: readonly Part[]) {
  const [first, , third] = numbers
  let named = order
  if (third === undefined) named = order.filter((part) => part !== 'year')
  else if (first?.length === 4) named = ['year', 'month', 'day']
  else if (third.length === 4 && order[0] === 'year') named = ['day', 'month', 'year']
  const parts = Object.fromEntries(named.map((part, at) => [part, numbers[at] ?? '']))
  return { month: '', day: '', ...parts } as { year?: string; month: string; day: string }
}
