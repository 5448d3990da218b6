import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { HttpRefusal } from '../errors.ts'

/** Browsers and proxies send about thirty; Node silently drops headers from the 2,000th on. */
const headersMax = 100

/**
 * Refuses requests that two servers in a row could read differently, before anything else is
 * decided: whoever forwards them may have seen another request than we do.
 * @throws HttpRefusal 400, 417 or 431
 */
export function checkSoundness({ raw, headers }: FastifyRequest): void {
  if (raw.rawHeaders.length > 2 * headersMax) {
    throw new HttpRefusal(431, `There are more than ${headersMax} headers.`)
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new HttpRefusal(417, 'The only expectation that can be met is 100-continue.')
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new HttpRefusal(400, 'The only transfer encoding that is understood is chunked.')
  }
  const hosts = countHeader(raw, 'host')
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
    throw new HttpRefusal(400, 'A request names its host once.')
  }
}

/** How often a header was sent: of several `Host` or `Authorization`, Node keeps the first only. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) count++
  }
  return count
}
