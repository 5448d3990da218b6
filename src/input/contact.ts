import { domainToASCII } from 'node:url'
import { z } from 'zod'

const emailLengthMax = 254

/** With the signs that names of domains may have besides (RFC 5892, 2.6 and A.3 to A.7). */
const letter = String.raw`\p{L}\p{M}\p{N}·͵׳״・\u06fd\u06fe\u0f0b`
/** Persian and Sinhala write some words with them: they can't be seen, but change how they look. */
const joiner = String.raw`\u200c\u200d`
const hasJoiner = new RegExp(`[${joiner}]`)
const label = `[${letter}](?:[${letter}${joiner}-]{0,61}[${letter}])?`
/**
 * What browsers take in `type=email` (https://html.spec.whatwg.org/#valid-e-mail-address), but with
 * the letters and digits of all scripts.
 */
const emailAddress = new RegExp(
  `^(?!.*(?![${joiner}])\\p{Default_Ignorable_Code_Point})[${letter}.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`,
  'u',
)

/** Between letters that it doesn't join, a joiner would make two addresses that look alike. */
const isEmailAddress = (value: string) =>
  emailAddress.test(value) &&
  (!hasJoiner.test(value) || domainToASCII(value.slice(value.lastIndexOf('@') + 1)) !== '')

/** An e-mail address, internationalised or not, kept as it was typed (decisions 4 and 231). */
export const email = z
  .string()
  .trim()
  .refine(isEmailAddress, 'must be an e-mail address')
  .refine((value) => [...value].length <= emailLengthMax, {
    error: `must have at most ${emailLengthMax} characters`,
  })
  .meta({ pattern: '^[^@]+@[^@]+$', format: 'idn-email', maxLength: emailLengthMax })

/** What address books and web pages put between and around digits without anybody seeing it. */
const unseen = /[\u00a0\u2007\u202f\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const phoneNumber = /^$|^(?=(?:\D*\d){3})[+0-9 ().\-/x]{3,32}$/
const phoneMessage = 'must be 3 to 32 characters from +0-9 ().-/x, with at least three digits'

/** A phone number without what can't be seen in it; empty when nothing is left (decision 4). */
export const phone = z
  .string()
  // Not phoneNumber itself: not every language can look ahead.
  .meta({ pattern: '^$|^([-+ ()./x]*[0-9]){3}[-+0-9 ()./x]*$', maxLength: 32 })
  .transform((value) => value.replace(unseen, '').trim())
  .pipe(z.string().regex(phoneNumber, phoneMessage))
