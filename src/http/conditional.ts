import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A successful answer as it is sent, and its strong ETag. */
export interface Representation {
  readonly json: string
  readonly etag: string
}

export function representation(json: string): Representation {
  return { json, etag: `"${hash('sha256', json, 'base64url').slice(0, 27)}"` }
}

/**
 * Sends an answer with its ETag, or 304 to a caller who has it already (decision 58). Everything
 * else keeps `no-store`.
 */
export function sendConditionally(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { json, etag }: Representation,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (matches(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** Weak comparison over the list form (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}
