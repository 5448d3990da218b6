import type { ApiError } from '../../domain/errors.ts'
import type { LimitStatus } from '../../domain/limits.ts'
import { MalformedRequest } from '../chain/malformedRequest.ts'
import { retryAfterSeconds } from './limitHeaders.ts'

/**
 * Returns status, headers and body for an error. `limits` is the state of the caller's windows, if
 * known, and determines `Retry-After`. The caller adds the limit headers.
 */
export function errorResponse(error: ApiError, limits?: LimitStatus) {
  const { code, message, details, status } = error
  const body = JSON.stringify({ error: { code, message, details } })
  const isLimit = code === 'RATE_LIMITED' && limits !== undefined
  const retryAfter = isLimit ? retryAfterSeconds(limits) : error.retryAfterSeconds
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      ...(error instanceof MalformedRequest && { connection: 'close' }),
    },
    body,
  }
}
