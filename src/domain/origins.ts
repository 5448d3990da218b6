/**
 * Normalizes an allow-list entry to the form that browsers send, or keeps a wildcard such as
 * `https://*.example.com`. Returns undefined for any other text.
 */
export function normalizeOrigin(entry: string): string | undefined {
  const match = /^(https?:\/\/)(\*\.)?([^*/\\?#@\s]+)\/?$/i.exec(entry)
  if (match === null) return undefined
  const [, scheme = '', wildcard = '', host = ''] = match
  const parsed = URL.canParse(scheme + host) ? new URL(scheme + host) : undefined
  if (parsed === undefined || /(^|\.)\.|\.$/.test(parsed.hostname)) return undefined
  // Without TLS, anyone on the visitor's network can serve a subdomain. `*.com` matches any domain.
  const isSafe = parsed.protocol === 'https:' && parsed.hostname.includes('.')
  if (wildcard !== '' && !isSafe) return undefined
  return parsed.origin.replace('://', `://${wildcard}`)
}

/**
 * Reports whether the value of an `Origin` header is on a key's normalized allow list. A wildcard
 * matches one or more labels in front of its domain.
 */
export function isOriginAllowed(origin: string, allowList: readonly string[]): boolean {
  // Rejects values that no browser sends: lists, paths, user info, `null` and other spellings.
  if (origin.includes('*') || normalizeOrigin(origin) !== origin) return false
  return allowList.some((entry) => entry === origin || matchesWildcard(origin, entry))
}

/** Expects a normalized origin, so at least one label precedes the dot of `domain`. */
function matchesWildcard(origin: string, entry: string): boolean {
  const [scheme, domain] = entry.split('://*', 2)
  return domain !== undefined && origin.startsWith(`${scheme}://`) && origin.endsWith(domain)
}
