import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { headersMax, MalformedRequest } from '../malformedRequest.ts'

/**
 * Why a request is refused because a proxy in front may have read it differently, or undefined.
 * Asked before anything else (decision 145).
 */
export function unsoundness({ raw, headers }: FastifyRequest): MalformedRequest | undefined {
  if (raw.rawHeaders.length > 2 * headersMax) return new MalformedRequest('headersTooMany')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return new MalformedRequest('expectation')
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new MalformedRequest('transferCoding')
  }
  const hosts = countHeader(raw, 'host')
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
    return new MalformedRequest('hosts')
  }
  return undefined
}

/** How often a header was sent: of several `Host` or `Authorization`, Node keeps the first only. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}
