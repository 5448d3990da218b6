import { withAsciiDashes, withoutInvisible } from './foldText.ts'

/** Spaces that address books and web pages add to phone numbers. */
const noBreakSpaces = /[\u00a0\u2007\u202f]/g

/** Returns a phone number in ASCII: its digits, dashes and full-width characters may be others. */
export const normalizePhone = (text: string) =>
  withAsciiDashes(withoutInvisible(text).replace(noBreakSpaces, ''))
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit)
    .trim()

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

export const phoneDigits = (text: string) =>
  /^[-+ ()./x\d]*$/.test(text) ? text.replace(/\D/g, '') : ''

/** Digits that two forms of a number must share at their ends. */
const sharedDigitsMin = 7

/** Returns the digits of a phone number as dialled within or from outside its country. */
const dialledDigits = (text: string) => phoneDigits(text.replaceAll('(0)', '')).replace(/^0+/, '')

/** Reports whether two numbers differ only in what stands before them, such as `+49` or `0`. */
export function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [dialledDigits(one), dialledDigits(other)]
  const isLong = Math.min(a.length, b.length) >= sharedDigitsMin
  return isLong && (a.endsWith(b) || b.endsWith(a))
}

/** Joins neighbouring words of digits, because people type phone numbers with spaces. */
export function joinNumbers(words: readonly string[]): string[] {
  const joined: string[] = []
  let isNumber = false
  for (const word of words) {
    const digits = normalizePhone(word)
    const continues: boolean = isNumber && /^(?:\(\d+\))?\d*$/.test(digits)
    isNumber = continues || /^\+?\d+$/.test(digits)
    if (continues) joined.push(`${joined.pop()} ${word}`)
    else joined.push(word)
  }
  return joined
}
