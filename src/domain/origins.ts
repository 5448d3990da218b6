/**
 * Brings an allow-list entry into the form browsers send: case, default port, punycode, and no slash
 * at the end, which address bars show. One wildcard form is kept, `https://*.example.com` (decision
 * 20): without TLS anybody on a visitor's network could answer for a name below it. Returns undefined
 * for anything that no browser would send as an origin.
 */
export function normaliseOrigin(entry: string): string | undefined {
  const match = /^(https?:\/\/)(\*\.)?([^*/\\?#@\s]+)\/?$/i.exec(entry)
  if (match === null) return undefined
  const [, scheme = '', wildcard = '', host = ''] = match
  const parsed = URL.canParse(scheme + host) ? new URL(scheme + host) : undefined
  if (parsed === undefined || /(^|\.)\.|\.$/.test(parsed.hostname)) return undefined
  // `https://*.com` would let in whoever buys a domain.
  const isSafe = parsed.protocol === 'https:' && parsed.hostname.includes('.')
  if (wildcard !== '' && !isSafe) return undefined
  return parsed.origin.replace('://', `://${wildcard}`)
}

/**
 * Whether the value of an `Origin` header is on a key's allow list of normalised entries: an exact
 * match, or one or more labels in front of a wildcard's domain (decision 20).
 */
export function originAllowed(origin: string, allowList: readonly string[]): boolean {
  // Lists, paths, user info, `null` and other spellings are not what a browser serialises.
  if (origin.includes('*') || normaliseOrigin(origin) !== origin) return false
  return allowList.some((entry) => entry === origin || matchesWildcard(origin, entry))
}

/** The origin is a sound one: without a label in front of the domain's dot it would be none. */
function matchesWildcard(origin: string, entry: string): boolean {
  const [scheme, domain] = entry.split('://*', 2)
  return domain !== undefined && origin.startsWith(`${scheme}://`) && origin.endsWith(domain)
}
