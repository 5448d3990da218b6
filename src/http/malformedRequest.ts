import { ApiError } from '../domain/errors.ts'

/** Browsers and proxies send about thirty; Node silently drops headers from the 2,000th on. */
export const headersMax = 100

/** Requests that are no valid HTTP: VALIDATION_ERROR with a status of its own (decision 145). */
const malformed = {
  cutShort: [400, 'The request was cut short.'],
  hosts: [400, 'A request must have exactly one Host header.'],
  transferCoding: [400, 'The only transfer coding supported is chunked.'],
  unreadable: [400, 'The request is not valid HTTP.'],
  tooSlow: [408, 'The request took too long to arrive.'],
  expectation: [417, 'The only expectation supported is 100-continue.'],
  headersTooLarge: [431, 'The headers are too large.'],
  headersTooMany: [431, `There are more than ${headersMax} headers.`],
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
