import type { FastifyRequest } from 'fastify'

/**
 * Whether an answer comes before the whole body has: the connection must then be closed, or the rest
 * would be waited for, or taken for the next request by whoever stands in between.
 */
export function leavesBodyUnread({ raw }: FastifyRequest): boolean {
  if (raw.complete) return false
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  return (length ?? '0') !== '0' || coding !== undefined
}
