import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Gives the answers of routes with `etag` a strong ETag and answers a matching `If-None-Match` with
 * 304 (decision 58). Everything else keeps `no-store`.
 */
export async function answerConditionally(
  { headers, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (routeOptions.config.etag !== true || reply.statusCode !== 200) return payload
  if (typeof payload !== 'string') return payload
  const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (!matches(headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return null
}

/** Weak comparison over the list form (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}
