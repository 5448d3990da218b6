import type { FastifyCorsOptions } from '@fastify/cors'
import { daySeconds } from '../../domain/units.ts'

/** Visible ASCII without slash and comma. */
const wellFormedOrigin = /^https?:\/\/[\x21-\x2b\x2d\x2e\x30-\x7e]+$/i

/** A list would be joined by the plugin for each answer. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'ETag',
  'X-Request-Id',
  'Idempotent-Replayed',
  // By it a page knows how long a price is good, whatever its visitor's clock shows.
  'Date',
].join(', ')

/**
 * Lets every origin's script read our answers, refusals included: which origins may *use* a key is
 * decided by the check `checkOrigin`, and a preflight carries no key to decide by (decision 21).
 */
export const corsOptions = {
  // Reflected when it looks like an origin; a preflight without a good one gets no permission.
  origin: wellFormedOrigin,
  methods: ['GET', 'HEAD', 'POST'],
  allowedHeaders: [
    'Authorization',
    'X-Api-Key',
    'X-Session-Token',
    'Idempotency-Key',
    'Content-Type',
    'If-None-Match',
  ],
  exposedHeaders,
  maxAge: daySeconds,
  strictPreflight: false,
} satisfies FastifyCorsOptions

/** The same permission to read for answers that are given where hooks don't run. */
export function readableBy(origin: string | undefined): Record<string, string> {
  const vary = { vary: 'Origin' }
  if (origin === undefined || !wellFormedOrigin.test(origin)) return vary
  return {
    ...vary,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  }
}
