import { withAsciiDashes } from './foldText.ts'

/** Invisible characters that address books and web pages add to phone numbers. */
const invisible = /[\u00a0\u2007\u202f\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Returns a phone number in ASCII: its digits, dashes and full-width characters may be others. */
export const normalizePhone = (text: string) =>
  withAsciiDashes(text.replace(invisible, ''))
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
