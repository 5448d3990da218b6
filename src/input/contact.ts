import { domainToASCII } from 'node:url'
import { z } from 'zod'

const emailLengthMax = 254

/** Letters, marks, digits and the other signs of domain names (RFC 5892, 2.6 and A.3 to A.7). */
const letter = String.raw`\p{L}\p{M}\p{N}·͵׳״・\u06fd\u06fe\u0f0b`
/** Invisible characters that change how Persian and Sinhala words are displayed. */
const joiner = String.raw`\u200c\u200d`
const hasJoiner = new RegExp(`[${joiner}]`)
const label = `[${letter}](?:[${letter}${joiner}-]{0,61}[${letter}])?`
/**
 * The HTML definition (https://html.spec.whatwg.org/#valid-e-mail-address), extended to the letters
 * and digits of all scripts.
 */
const emailAddress = new RegExp(
  `^(?!.*(?![${joiner}])\\p{Default_Ignorable_Code_Point})[${letter}.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`,
  'u',
)

/** Rejects joiners between letters that they do not join: such addresses look like others. */
const isEmailAddress = (value: string) =>
  emailAddress.test(value) &&
  (!hasJoiner.test(value) || domainToASCII(value.slice(value.lastIndexOf('@') + 1)) !== '')

/** An e-mail address, which may be internationalized. Only the spaces around it are removed. */
export const email = z
  .string()
  .trim()
  .refine(isEmailAddress, 'must be an e-mail address')
  .refine((value) => [...value].length <= emailLengthMax, {
    error: `must have at most ${emailLengthMax} characters`,
  })
  .meta({ pattern: '^[^@]+@[^@]+$', format: 'idn-email', maxLength: emailLengthMax })

/** Invisible characters that address books and web pages add to phone numbers. */
const invisible = /[\u00a0\u2007\u202f\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const phoneNumber = /^$|^(?=(?:\D*\d){3})[+0-9 ().\-/x]{3,32}$/
const phoneMessage = 'must be 3 to 32 characters from +0-9 ().-/x, with at least three digits'

/** A phone number, without invisible characters. It may be empty. */
export const phone = z
  .string()
  // For the OpenAPI document. Clients in some languages do not support the lookahead of phoneNumber.
  .meta({ pattern: '^$|^([-+ ()./x]*[0-9]){3}[-+0-9 ()./x]*$', maxLength: 32 })
  .transform((value) => value.replace(invisible, '').trim())
  .pipe(z.string().regex(phoneNumber, phoneMessage))
