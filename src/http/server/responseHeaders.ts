/**
 * A scheme (an app's own included) and `://`, then visible ASCII without slash, comma and `@`; or
 * `null`, so that such a page can read why its request is rejected.
 */
export const wellFormedOrigin =
  /^(null|[a-z][a-z\d+.-]*:\/\/[\x21-\x2b\x2d\x2e\x30-\x3f\x41-\x7e]+)$/i

/** Includes `Date`, because the visitor's clock may be wrong and quotes expire. */
const exposedHeaders =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, ' +
  'Retry-After, Location, ETag, X-Request-Id, Idempotent-Replayed, Date'

/**
 * Returns CORS headers that let every well-formed origin read the response, errors included.
 * `checkOrigin` enforces the allow list of a key, because a preflight carries no key.
 */
function corsHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined || !wellFormedOrigin.test(origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  }
}

/**
 * Returns the headers for a request with a secret that a rotation has replaced: since when (RFC 9745),
 * and until when it works (RFC 8594).
 */
export function replacedSecretHeaders(replacedAt: Date, endsAt: Date) {
  return {
    deprecation: `@${Math.floor(replacedAt.getTime() / 1000)}`,
    sunset: endsAt.toUTCString(),
    link: '</docs/contract#authentication>; rel="deprecation"',
  }
}

/** Returns the headers of every response, also of those sent without hooks. */
export function standardHeaders(requestId: string, origin: string | undefined) {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...corsHeaders(origin),
  }
}
