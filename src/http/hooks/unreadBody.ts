import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Closes the connection after an answer that did not wait for the request's body: the rest of it
 * would otherwise be awaited, or be taken for the next request by whoever stands in between.
 */
export function closeOnUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  if ((length ?? '0') !== '0' || coding !== undefined) reply.header('connection', 'close')
}
