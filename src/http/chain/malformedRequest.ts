import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'

/** Requests that are no valid HTTP: VALIDATION_ERROR with a status of its own (decision 145). */
const malformed = {
  cutShort: [400, 'The request was cut short.'],
  hosts: [400, 'A request must have exactly one Host header.'],
  transferCoding: [400, 'The only transfer coding supported is chunked.'],
  unreadable: [400, 'The request is not valid HTTP.'],
  tooSlow: [408, 'The request took too long to arrive.'],
  headersTooLarge: [431, 'The headers are too large.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** The connection is closed, since its sender may not know where the next request begins. */
export class MalformedRequest extends ApiError {
  override readonly status: number

  constructor(kind: keyof typeof malformed) {
    const [status, message] = malformed[kind]
    super('VALIDATION_ERROR', message)
    this.status = status
  }
}

/**
 * Why a request is refused because a proxy in front may have read it differently, or undefined.
 * Asked before anything else (decision 145).
 */
export function findMalformedRequest({
  raw,
  headers,
}: FastifyRequest): MalformedRequest | undefined {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new MalformedRequest('transferCoding')
  }
  return countHeader(raw, 'host') > 1 ? new MalformedRequest('hosts') : undefined
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
