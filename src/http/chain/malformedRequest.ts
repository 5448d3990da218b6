import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'

/** Status and message of requests that are not valid HTTP; their code is VALIDATION_ERROR. */
const malformed = {
  cutShort: [400, 'The request was cut short.'],
  hosts: [400, 'A request must have exactly one Host header.'],
  transferCoding: [400, 'The only transfer coding supported is chunked.'],
  unreadable: [400, 'The request is not valid HTTP.'],
  tooSlow: [408, 'The request took too long to arrive.'],
  headersTooLarge: [431, 'The headers are too large.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/**
 * An error after which the connection is closed, because the beginning of the next request is
 * unknown.
 */
export class MalformedRequest extends ApiError {
  override readonly status: number

  constructor(kind: keyof typeof malformed) {
    const [status, message] = malformed[kind]
    super('VALIDATION_ERROR', message)
    this.status = status
  }
}

/**
 * Returns the error for a request that a proxy in front may have parsed differently, or undefined.
 * Must run before all other checks.
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

/**
 * Returns how often a header was sent. Node keeps only the first of duplicate `Host` or
 * `Authorization` headers.
 */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}
