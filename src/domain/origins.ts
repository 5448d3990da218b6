import { ApiError } from './errors.ts'

/** Schemes whose pages have no origin of their own: browsers send `null`. */
const opaqueSchemes = /^(file|data|blob|javascript|about|filesystem):/i

/** An empty label; no browser sends a trailing dot. */
const emptyLabel = /(^|\.)\.|\.$/

/**
 * Normalizes an allow-list entry to the form that browsers send, or keeps a wildcard such as
 * `https://*.example.com`. Apps have schemes of their own, such as `capacitor://localhost`. Returns
 * undefined for any other text.
 */
export function normalizeOrigin(entry: string): string | undefined {
  if (/^https?:/i.test(entry)) return normalizeWebOrigin(entry)
  if (opaqueSchemes.test(entry) || !URL.canParse(entry)) return undefined
  const { protocol, host, hostname } = new URL(entry)
  if (hostname === '' || emptyLabel.test(hostname)) return undefined
  const origin = `${protocol}//${host}`
  return !host.includes('*') && entry.replace(/^[^:]+:/, protocol) === origin ? origin : undefined
}

function normalizeWebOrigin(entry: string): string | undefined {
  const match = /^(https?:\/\/)(\*\.)?([^*/\\?#@\s]+)\/?$/i.exec(entry)
  if (match === null) return undefined
  const [, scheme = '', wildcard = '', host = ''] = match
  const parsed = URL.canParse(scheme + host) ? new URL(scheme + host) : undefined
  if (parsed === undefined || emptyLabel.test(parsed.hostname)) return undefined
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

export function originNotAllowed(origin: string): ApiError {
  const message =
    normalizeOrigin(origin) === origin
      ? `The origin ${origin} is not on the allow list of this API key. The rental company can add it: rental keys set ID --add-origin ${origin}`
      : `"${origin.slice(0, 100)}" is not an origin that an API key can allow. Browsers send a scheme and a host, such as https://shop.example; for a page opened from a file they send "null".`
  return new ApiError('ORIGIN_NOT_ALLOWED', message)
}
