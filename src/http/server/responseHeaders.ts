/** A scheme, be it an app's own, and visible ASCII without slash, comma and user (decision 505). */
export const wellFormedOrigin = /^[a-z][a-z\d+.-]*:\/\/[\x21-\x2b\x2d\x2e\x30-\x3f\x41-\x7e]+$/i

/** By `Date` a page knows how long a price is good, whatever its visitor's clock shows. */
const exposedHeaders =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, ' +
  'Retry-After, Location, ETag, X-Request-Id, Idempotent-Replayed, Date'

/**
 * Lets every origin's script read our answers, refusals included: which origins may *use* a key is
 * decided by the check `checkOrigin`, and a preflight carries no key to decide by (decision 21).
 * What looks like an origin is reflected; other callers have no script that could read.
 */
function readableBy(origin: string | undefined): Record<string, string> {
  if (origin === undefined || !wellFormedOrigin.test(origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  }
}

/** The headers of every response, including those that no hook sees. */
export function standardHeaders(requestId: string, origin: string | undefined) {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...readableBy(origin),
  }
}
