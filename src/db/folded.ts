import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * An e-mail address in each spelling of its domain, since browsers send `xn--blbr-roah.no` for
 * `blåbær.no` (decision 313). A text without `@` may be a domain. What can't be one has no other
 * spelling: these functions would take it for the address of a page, and keep its host.
 */
export function spellingsOf(text: string): string[] {
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  const others = /[/?#%\\]/.test(domain) ? [] : [domainToASCII(domain), domainToUnicode(domain)]
  return [...new Set([text, ...others.filter(Boolean).map((other) => text.slice(0, at) + other)])]
}

/**
 * A text as SQL compares it when people look for it: whatever its case, and however its accents are
 * composed (decision 477). Only UTF-8 has several ways to write one, and PostgreSQL refuses to
 * normalise anything else. In a Turkish database the capital I is no capital of i (decision 399).
 */
export const folded = (text: string) =>
  `lower(translate(case getdatabaseencoding() when 'UTF8' then normalize(${text}, NFC) else ${text} end,
    'I', 'i'))`
