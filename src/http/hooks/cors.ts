import type { FastifyCorsOptions } from '@fastify/cors'

/**
 * Lets every origin's script read our answers, refusals included: which origins may *use* a key is
 * decided by the hook `origin`, and a preflight carries no key to decide by (decision 21).
 */
export const corsOptions: FastifyCorsOptions = {
  // Reflected when it looks like an origin; a preflight without a good one gets no permission.
  origin: /^https?:\/\/[^\s/,]+$/i,
  methods: ['GET', 'HEAD', 'POST'],
  allowedHeaders: [
    'Authorization',
    'X-Api-Key',
    'X-Session-Token',
    'Idempotency-Key',
    'Content-Type',
    'If-None-Match',
  ],
  exposedHeaders: [
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
  ],
  maxAge: 86_400,
  strictPreflight: false,
}
