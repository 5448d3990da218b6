import type { IncomingMessage } from 'node:http'

/** Whether a request comes with a body, read or not. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

/**
 * Whether an answer comes before the whole body has: the connection must then be closed, or the
 * rest would be waited for, or taken for the next request by whoever stands in between.
 */
export function leavesBodyUnread(raw: IncomingMessage): boolean {
  return !raw.complete && hasBody(raw)
}
