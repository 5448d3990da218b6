import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { normalizePhone } from '../domain/phone.ts'
import { normalizeLine } from './fields.ts'

const emailLengthMax = 254

/** Letters, marks, digits and the other signs of domain names (RFC 5892, 2.6 and A.3 to A.7). */
const letter = String.raw`\p{L}\p{M}\p{N}·͵׳״・\u06fd\u06fe\u0f0b`
/** Invisible characters that change how Persian and Sinhala words are displayed. */
const joiner = String.raw`\u200c\u200d`
const joiners = new RegExp(`[${joiner}]`, 'g')
const invisible = new RegExp(`(?![${joiner}])\\p{Default_Ignorable_Code_Point}`, 'gu')
const label = `[${letter}](?:[${letter}${joiner}-]{0,61}[${letter}])?`
/**
 * The HTML definition (https://html.spec.whatwg.org/#valid-e-mail-address), extended to the letters
 * and digits of all scripts.
 */
const emailAddress = new RegExp(`^[${letter}.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, 'u')

/**
 * Converts the full-width characters of Japanese keyboards to ASCII, and removes what cannot be seen.
 * Joiners stay where the domain has other letters without them.
 */
export function normalizeEmail(text: string): string {
  const typed = normalizeLine(text)
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, '.')
    .replace(invisible, '')
  const at = typed.lastIndexOf('@') + 1
  const [local, domain] = [typed.slice(0, at), typed.slice(at)]
  const hasName = domainToASCII(domain) !== ''
  return local.replace(joiners, '') + (hasName ? domain : domain.replace(joiners, ''))
}

/** For the OpenAPI document. openapi-generator makes no example of a pattern with alternatives. */
const emailPattern = '^\\s*[^@\\s]+@[^@\\s.]+([.][^@\\s.]+)*\\s*$'

/** An e-mail address, which may be internationalized, in composed form (NFC; RFC 6532, 3.1). */
export const email = z
  .string()
  .overwrite(normalizeEmail)
  .refine((value) => emailAddress.test(value), 'must be an e-mail address')
  .refine((value) => [...value].length <= emailLengthMax, {
    error: `must have at most ${emailLengthMax} characters`,
  })
  .meta({ pattern: emailPattern, format: 'idn-email', maxLength: emailLengthMax })

const phoneNumber = /^$|^(?=(?:\D*\d){3})[+0-9 ().\-/x]{3,32}$/
const phoneMessage = 'must be 3 to 32 characters from +0-9 ().-/x, with at least three digits'

/** A phone number, in ASCII and without invisible characters. It may be empty. */
export const phone = z
  .string()
  // For the OpenAPI document. Clients in some languages do not support the lookahead of phoneNumber,
  // nor \p{…}: any character beyond ASCII may be a digit, a dash or invisible.
  .meta({
    pattern:
      "^[^!-\\x7f]*$|^[^!-\\x7f]*([-+ ()./x]*[^\\x00-/:-\\x7f]){3}[^\\x00-\\x1f!-'*,:-wy-\\x7f]*[^!-\\x7f]*$",
    maxLength: 32,
  })
  .transform(normalizePhone)
  .pipe(z.string().regex(phoneNumber, phoneMessage))
